// Sends objects to the real server and keeps what it made of them: the measure for our defaults and table cells.
import type { ReadJson } from './builtin-resources.ts';

export type GoldenInput = {
  readonly name: string;
  readonly path: string;
  readonly plural: string;
  readonly clusterWide?: boolean;
  /** Without apiVersion and, unless it matters, without a name. */
  readonly object: { readonly kind: string; readonly metadata?: object; readonly [key: string]: unknown };
  /** Written to `/status` after the object was created. */
  readonly status?: object;
};

export type GoldenCase = {
  readonly input: object;
  readonly status?: object;
  /** As created. */
  readonly output: unknown;
  /** Cells of the row in a table, after the status was written; ages are masked. */
  readonly cells: readonly unknown[];
};

/** Sends JSON and answers JSON; throws on every status but 2xx. */
export type SendJson = (method: string, path: string, body: unknown) => Promise<unknown>;

/** Sends JSON, a PATCH as a merge patch, and answers whatever came back. */
export type SendAny = (
  method: string,
  path: string,
  body: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io';

type Answer = { readonly metadata: Record<string, unknown>; readonly [key: string]: unknown };
type Table = {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
};

export async function captureGolden(
  inputs: readonly GoldenInput[],
  readJson: ReadJson,
  sendJson: SendJson,
): Promise<ReadonlyMap<string, GoldenCase>> {
  const cases = new Map<string, GoldenCase>();
  for (const input of inputs) cases.set(input.name, await captureOne(input, readJson, sendJson));
  return cases;
}

async function captureOne(input: GoldenInput, readJson: ReadJson, sendJson: SendJson): Promise<GoldenCase> {
  const version = input.path.slice(input.path.indexOf('/') + 1);
  const object = { apiVersion: version, ...input.object, metadata: { name: input.name, ...input.object.metadata } };
  const collection = `/${input.path}${input.clusterWide ? '' : '/namespaces/default'}/${input.plural}`;
  const created = (await sendJson('POST', collection, object)) as Answer;
  const place = `${collection}/${object.metadata.name}`;
  if (input.status !== undefined) {
    await sendJson('PUT', `${place}/status`, { ...created, status: input.status });
  }
  const table = (await readJson(place, tableAccept)) as Table;
  await sendJson('DELETE', place, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
  return {
    input: object,
    ...(input.status === undefined ? {} : { status: input.status }),
    output: masked(created),
    cells: maskedCells(table),
  };
}

/** What differs between two runs is taken away: identity, time, and what was allocated by chance. */
export function masked(object: Answer): unknown {
  const {
    uid: _uid,
    creationTimestamp: _time,
    resourceVersion: _version,
    managedFields: _fields,
    ...metadata
  } = object.metadata;
  const text = JSON.stringify({ ...object, metadata });
  return JSON.parse(
    text
      .replaceAll(/"10\.96\.\d+\.\d+"/g, '"CLUSTER-IP"')
      .replaceAll(/"lastPhaseTransitionTime":"[^"]+"/g, '"lastPhaseTransitionTime":"TIME"')
      .replaceAll(/"nodePort":\d+/g, '"nodePort":"NODE-PORT"')
      .replaceAll(/"controller-uid":"[^"]+"/g, '"controller-uid":"UID"')
      .replaceAll(/"batch.kubernetes.io\/controller-uid":"[^"]+"/g, '"batch.kubernetes.io/controller-uid":"UID"'),
  );
}

const timed = new Set(['Age', 'Last Seen', 'First Seen', 'Duration', 'Last Schedule', 'Created At']);

function maskedCells({ columnDefinitions, rows }: Table): readonly unknown[] {
  return (rows[0]?.cells ?? []).map((cell, index) => {
    if (timed.has(columnDefinitions[index]?.name ?? ''))
      return typeof cell === 'string' && /^\d/.test(cell) ? 'AGE' : cell;
    return typeof cell === 'string'
      ? cell
          .replaceAll(/10\.96\.\d+\.\d+/g, 'CLUSTER-IP')
          .replaceAll(/:3\d{4}\//g, ':NODE-PORT/')
          .replaceAll(/controller-uid=[0-9a-f-]+/g, 'controller-uid=UID')
      : cell;
  });
}

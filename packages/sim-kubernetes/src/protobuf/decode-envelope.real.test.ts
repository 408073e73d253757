import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Json, JsonObject } from '../registry/json.ts';
import { askServer } from '../schema/ask-server.ts';
import { wireGroup } from '../kinds/wire-groups.ts';
import { decodeEnvelope } from './decode-envelope.ts';

type Input = JsonObject & { readonly apiVersion: string; readonly kind: string };

// Built-in kinds in all their richness: what the defaults are measured with.
const folder = new URL('../kinds/golden/', import.meta.url);
const inputs = readdirSync(folder)
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { readonly input?: Input })
  .flatMap(({ input }) => (input === undefined ? [] : [input]));

const controlPlane = inject('controlPlane');

async function send(path: string, body: unknown, accept: string): Promise<Uint8Array> {
  return (await askServer(controlPlane, 'POST', path, body, accept)).body;
}

beforeAll(async () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web' } };
  await send('/api/v1/namespaces/default/serviceaccounts', account, 'application/json');
});

function collectionOf({ apiVersion, kind }: Input): string {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = wireGroup(group, version).resources.find(({ responseKind }) => responseKind.kind === kind);
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  return `${root}${found?.scope === 'Namespaced' ? '/namespaces/default' : ''}/${found?.resource}?dryRun=All`;
}

const drawn: ReadonlySet<string> = new Set([
  'uid',
  'creationTimestamp',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'nodePort',
]);

/** Every dry run draws ids, times and addresses of its own, and Go does not tell an empty list from none. */
function comparable(value: Json | undefined, isTemplate = false): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => comparable(item, isTemplate));
  if (typeof value === 'string')
    return value.replaceAll(/kube-api-access-\w+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'X');
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value as JsonObject).filter(([key, item]) => {
    // Protobuf carries the type of an object only around the whole.
    const isType = isTemplate && (key === 'kind' || key === 'apiVersion');
    return item !== null && !drawn.has(key) && !isType;
  });
  return Object.fromEntries(entries.map(([key, item]) => [key, comparable(item, key === 'volumeClaimTemplates')]));
}

describe('the protobuf of the server says the same as its JSON', () => {
  for (const input of inputs) {
    const { name } = input['metadata'] as { readonly name: string };
    test(`${input.kind} ${name}`, async () => {
      const path = collectionOf(input);
      const json = await send(path, input, 'application/json');
      const protobuf = await send(path, input, 'application/vnd.kubernetes.protobuf');
      const wanted = JSON.parse(new TextDecoder().decode(json)) as JsonObject;
      expect(wanted['kind']).toBe(input.kind);
      expect(comparable(decodeEnvelope(protobuf) as JsonObject)).toEqual(comparable(wanted));
    });
  }
});

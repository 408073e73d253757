import type { Answer, Call, Loose, WireClient } from './wire-client.ts';
import { patchTypes } from './wire-client.ts';
import { told } from './managers.ts';
import { uniqueName } from './scratch.ts';
import type { ScratchCrd } from './scratch.ts';

/** One write of a story. `{name}` in the path is the object's own. */
export type StoryStep = {
  readonly do: 'apply' | 'post' | 'put' | 'get' | keyof typeof patchTypes;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | boolean>>;
  readonly sub?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Place = {
  readonly api: WireClient;
  /** The collection. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
};

export const apply = (manager: string, body: Loose, query: Loose = {}): StoryStep => ({
  do: 'apply',
  body,
  query: { fieldManager: manager, ...query },
});

/** Does one step after the other; what was answered to each, ready to be compared. */
export async function tell(place: Place, steps: readonly StoryStep[]): Promise<readonly Loose[]> {
  const answers: Loose[] = [];
  for (const step of steps) answers.push(told(await take(place, step), place.names));
  return answers;
}

async function take(place: Place, step: StoryStep): Promise<Answer> {
  const { api, path, name } = place;
  const at = step.do === 'post' ? path : `${path}/${name}${step.sub === undefined ? '' : `/${step.sub}`}`;
  const { query, headers } = step;
  const body =
    step.do === 'apply' || step.do === 'post' || step.do === 'put' ? await whole(place, step, at) : step.body;
  const type =
    step.do === 'apply'
      ? 'application/apply-patch+yaml'
      : step.do in patchTypes
        ? patchTypes[step.do as 'merge']
        : undefined;
  const call: Call = {
    method: step.do === 'get' ? 'GET' : step.do === 'post' ? 'POST' : step.do === 'put' ? 'PUT' : 'PATCH',
    path: at,
    ...(query && { query }),
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { body }),
  };
  return api.send(call);
}

/** Bodies that are objects say what they are, unless the step says it itself. A PUT goes on from what is there. */
async function whole({ api, apiVersion, kind, name }: Place, step: StoryStep, at: string): Promise<unknown> {
  const { body } = step;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const head = step.sub === 'scale' ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : { apiVersion, kind };
  const given = body as Loose;
  const stated = { ...head, ...given, metadata: { name, ...given.metadata } };
  if (step.do !== 'put') return stated;
  const { body: live } = await api.get(at);
  return { ...stated, metadata: { resourceVersion: live.metadata?.resourceVersion, ...stated.metadata } };
}

export function customPlace(api: WireClient, crd: ScratchCrd, namespace: string): Place {
  const name = uniqueName('r');
  const { apiVersion, kind, group } = crd;
  return {
    api,
    path: crd.at(namespace),
    apiVersion,
    kind,
    name,
    names: { [name]: 'NAME', [namespace]: 'NS', [group]: 'GROUP' },
  };
}

export function builtinPlace(api: WireClient, apiVersion: string, kind: string, namespace: string): Place {
  const name = uniqueName('b');
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}/namespaces/${namespace}/${kind.toLowerCase()}s`;
  return { api, path, apiVersion, kind, name, names: { [name]: 'NAME', [namespace]: 'NS' } };
}

/** For tests: the real API server, asked about custom kinds. */
import { inject } from 'vitest';
import type { ProvidedControlPlane } from '../../../../../tools/control-plane/vitest-setup.ts';
import { createKubeClient } from '../../client/create-kube-client.ts';
import { isAlreadyExists, isInvalid, isNotFound } from '../../client/error-checks.ts';
import type { KubeClient } from '../../client/kube-client.ts';
import { createUndiciTransport } from '../../client/undici-transport.ts';
import { sleep, systemClock } from '../../clock.ts';
import { apiVersionOf, defineKind } from '../../kind.ts';
import type { AnyObject } from '../../object.ts';
import type { AnyCustomKind } from '../custom-kind.ts';
import { distinct } from './verdicts.ts';
import type { Verdict } from './verdicts.ts';

export const crds = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});

export function realClient(): { readonly kube: KubeClient; readonly close: () => Promise<void> } {
  const { url, ca, token }: ProvidedControlPlane = inject('controlPlane');
  const credentials = { headers: { authorization: `Bearer ${token}` } };
  const files = {
    readFile: async () => Promise.reject(new Error('no files here')),
    modifiedMs: async () => Promise.resolve(0),
  };
  const auth = { credentials: async () => Promise.resolve(credentials), refused: () => undefined };
  const access = { server: url, tls: { ca: { data: ca } }, auth };
  const transport = createUndiciTransport({ access }, { ...files, clock: systemClock });
  return { kube: createKubeClient({ transport }), close: transport.close };
}

/** Creates the CRD and waits until the server serves it. Returns the conditions of the CRD. */
export async function establish(kube: KubeClient, kind: AnyCustomKind): Promise<Readonly<Record<string, string>>> {
  const crd = kind.toCrd();
  await kube.create(crds, crd as unknown as AnyObject).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  for (;;) {
    const { status } = (await kube.get(crds, { name: crd.metadata.name })) as {
      status?: { conditions?: { type: string; status: string }[] };
    };
    const conditions = Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, one.status]));
    if (conditions['Established'] === 'True' && (await isServed(kube, kind))) return conditions;
    await sleep(systemClock, 50);
  }
}

async function isServed(kube: KubeClient, kind: AnyCustomKind): Promise<boolean> {
  return kube.list(kind, { limit: 1 }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

/** What the server makes of a spec: its defaults, or the fields that it blames. Nothing is stored. */
export async function serverVerdict(kube: KubeClient, kind: AnyCustomKind, spec: unknown): Promise<Verdict> {
  const metadata = { name: 'probe', ...(kind.scope === 'Namespaced' && { namespace: 'default' }) };
  const object: AnyObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec };
  try {
    return { ok: true, value: (await kube.create(kind, object, { dryRun: true }))['spec'] };
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // "<nil>" stands for general remarks, and the scale subresource names its field once more with a dot in front.
    const fields = (error.body.details?.causes ?? []).map(({ field = '' }) => field.replace(/^\./, ''));
    return { ok: false, fields: distinct(fields.filter((field) => field !== '<nil>')) };
  }
}

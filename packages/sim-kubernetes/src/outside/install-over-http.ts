import type { Clock } from '@tributary/runtime/clock';
import type { HttpResponse, Transport } from '@tributary/runtime/transport';
import type { JsonObject } from '../registry/json.ts';

const collections: Readonly<Record<string, string>> = {
  CustomResourceDefinition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  MutatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
};

const pauseMs = 50;
const patienceMs = 30_000;

/** Makes an object what the manifest says, whether it is there already or not. */
export async function install(transport: Transport, object: JsonObject): Promise<void> {
  const path = pathOf(object);
  const found = await transport.request({ method: 'GET', path });
  if (found.status === 404) {
    await send(transport, 'POST', path.slice(0, path.lastIndexOf('/')), object);
    return;
  }
  const { resourceVersion } = (jsonOf(found) as { readonly metadata: { readonly resourceVersion: string } }).metadata;
  await send(transport, 'PUT', path, { ...object, metadata: { ...(object['metadata'] as object), resourceVersion } });
}

export async function uninstall(transport: Transport, object: JsonObject): Promise<void> {
  await transport.request({ method: 'DELETE', path: pathOf(object) });
}

/** Waits until the kind of a CRD is served. */
export async function whenEstablished(transport: Transport, crd: JsonObject, clock: Clock): Promise<void> {
  const deadline = clock.now() + patienceMs;
  for (;;) {
    const { status } = jsonOf(await transport.request({ method: 'GET', path: pathOf(crd) })) as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    if (status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True')) return;
    if (clock.now() > deadline) throw new Error(`${pathOf(crd)} is not served after ${patienceMs / 1000} s`);
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
  }
}

function pathOf(object: JsonObject): string {
  const { kind = '', metadata = {} } = object as {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string };
  };
  const collection = collections[kind];
  if (collection === undefined) throw new Error(`${kind} is not installed by the cluster`);
  return `${collection}/${metadata.name ?? ''}`;
}

async function send(transport: Transport, method: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await transport.request({ method, path, headers, body: JSON.stringify(body) });
  if (answer.status < 300) return;
  throw new Error(`${method} ${path} answered ${answer.status}: ${new TextDecoder().decode(answer.body)}`);
}

function jsonOf({ body }: HttpResponse): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

import type { AdmissionPlugin } from '../registry/admission.ts';
import { forbidden } from '../registry/api-error.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import type { HookContext } from '../registry/resource-type.ts';
import { cloneJson } from '../registry/clone-json.ts';
import { items, text } from '../kinds/draft-fields.ts';
import { newPodSpec } from './pod-admission.ts';

const pods = { group: '', plural: 'pods' };
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const tokenSeconds = 3607;

/** Gives a pod its account, and where it is wanted a token for it and the certificate of the cluster. */
export const serviceAccount: AdmissionPlugin = {
  name: 'ServiceAccount',
  mutate: (attributes, context) => {
    const spec = newPodSpec(attributes);
    if (spec === undefined || isMirror(attributes.object)) return;
    const name = text(spec, 'serviceAccountName') || 'default';
    spec['serviceAccountName'] = name;
    spec['serviceAccount'] = name;
    const account = accountOf(name, attributes.namespace, attributes.name, context);
    if (mountsToken(spec, account)) mountToken(spec, context);
    const secrets = items(account, 'imagePullSecrets');
    if (items(spec, 'imagePullSecrets').length === 0 && secrets.length > 0) {
      spec['imagePullSecrets'] = cloneJson(secrets);
    }
  },
};

function isMirror(pod: Draft | undefined): boolean {
  const annotations = (pod?.['metadata'] as Draft | undefined)?.['annotations'] as Draft | undefined;
  return annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

function accountOf(name: string, namespace: string | undefined, pod: string, context: HookContext): StoredObject {
  const found = context.get('', 'serviceaccounts', namespace, name);
  if (found !== undefined) return found;
  throw forbidden(
    pods,
    pod,
    `error looking up service account ${namespace ?? ''}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
  );
}

/** The pod has the last word, then its account; without either there is a token. */
function mountsToken(spec: Draft, account: StoredObject): boolean {
  const wish = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'];
  return wish !== false;
}

function mountToken(spec: Draft, context: HookContext): void {
  const volumes = items(spec, 'volumes');
  const known = volumes.find((volume) => text(volume, 'name').startsWith('kube-api-access-'));
  const name = known === undefined ? `kube-api-access-${suffix(context)}` : text(known, 'name');
  let needed = false;
  for (const container of [...items(spec, 'initContainers'), ...items(spec, 'containers')]) {
    const mounts = items(container, 'volumeMounts');
    if (mounts.some((mount) => text(mount, 'mountPath') === mountPath)) continue;
    container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath }];
    needed = true;
  }
  if (needed && known === undefined) spec['volumes'] = [...volumes, tokenVolume(name)];
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters as generated names have them. */
function suffix(context: HookContext): string {
  const bytes = context.uuid().replaceAll('-', '');
  return Array.from({ length: 5 }, (_, index) => {
    const byte = Number.parseInt(bytes.slice(index * 2, index * 2 + 2), 16);
    return letters[byte % letters.length] ?? 'x';
  }).join('');
}

function tokenVolume(name: string): Draft {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}

import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { hashSecrets } from '../../engine/l4-state/secret-use.ts';
import { serviceKind } from '../../refs/builtin-kinds.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { accessTunnelKind } from './resource.ts';
import type { AccessTunnel } from './resource.ts';
import { toChildren } from './to-children.ts';

type Resolved = { readonly tokenHash?: string };

/** Nothing is asked of Cloudflare: the objects that run cloudflared are all there is. */
export const accessTunnelContributor = defineContributor<AccessTunnel, Resolved>({
  kind: accessTunnelKind,
  childKinds: [deploymentKind, serviceKind],
  resolve,
  contribute: () => [],
  children: (object, { tokenHash }) => toChildren(object, tokenHash),
  ready: false,
  events: () => [],
});

/** The hash of the service token: when that is another, the pods must be others too. */
function resolve({ metadata, serviceToken }: AccessTunnel, refs: Refs): Resolution<Resolved> {
  if (!serviceToken) return { ok: true, value: {} };
  const secret = refs.secret({ namespace: metadata.namespace ?? '', name: serviceToken.secretRef });
  if (!secret.ok) {
    const state = secret.reason === 'NotReady' ? 'waiting' : 'broken';
    return { ok: false, state, reason: 'InvalidSecret', message: `serviceToken.secretRef: ${secret.message}` };
  }
  const { CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID: idKey, CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN: secretKey } = serviceToken;
  const { data = {} } = secret.value;
  const lacking = [idKey, secretKey].filter((key) => !data[key]);
  if (lacking.length > 0) {
    const message = `serviceToken.secretRef: Secret ${serviceToken.secretRef} lacks ${lacking.join(' and ')}`;
    return { ok: false, state: 'broken', reason: 'InvalidSecret', message };
  }
  const values = { id: data[idKey] ?? '', secret: data[secretKey] ?? '' };
  return { ok: true, value: { tokenHash: hashSecrets(values, metadata.uid ?? '') } };
}

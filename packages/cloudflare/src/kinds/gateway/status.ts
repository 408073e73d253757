import type { Refs, View } from '../../engine/l2-controllers/contributor.ts';
import { attachedRoutes } from '../../refs/gateway/accept-route.ts';
import type { AttachedRoute } from '../../refs/gateway/accept-route.ts';
import { claimOf } from '../../refs/gateway/claim-gateway.ts';
import { gatewayGroup } from '../../refs/gateway/gateway-kinds.ts';
import type { Gateway, Listener, ListenerStatus } from '../../refs/gateway/gateway-kinds.ts';
import { judgeListeners } from '../../refs/gateway/judge-listeners.ts';
import type { JudgedListener } from '../../refs/gateway/judge-listeners.ts';
import { isGranted } from '../../refs/gateway/reference-grants.ts';
import { toConditions, verdict } from '../../refs/gateway/verdict.ts';
import type { Verdict } from '../../refs/gateway/verdict.ts';
import { fatesOfRecords } from '../../refs/tunnels/record-children.ts';
import { tunnelHost } from '../../refs/tunnels/tunnel-host.ts';
import { resolveGateway } from './resolve.ts';

/** The official status of a Gateway: conditions, the tunnel's address, and each listener. */
export function gatewayStatus(
  gateway: Gateway,
  view: View,
  refs: Refs,
  now: number,
): Readonly<Record<string, unknown>> {
  const claim = claimOf(gateway, refs);
  const resolution = resolveGateway(gateway, refs);
  const listeners = judgeListeners(gateway);
  const attached = claim.is === 'ours' && claim.settings.ok ? attachedRoutes(gateway, claim.settings, refs) : [];
  const accepted = acceptance(resolution, listeners);
  const dnsProblems = resolution.ok ? [...resolution.value.dnsProblems, ...fatesOfRecords(view).problems] : [];
  const programmed = programming(accepted, view, dnsProblems);
  const time = { now, generation: gateway.metadata.generation };
  const before = gateway.status;
  return {
    conditions: toConditions(before?.conditions, [accepted, programmed], time),
    ...(resolution.ok && { addresses: [{ type: 'Hostname', value: tunnelHost(resolution.value.tunnel.tunnelId) }] }),
    listeners: listeners.map((judged): ListenerStatus => {
      const { listener, routeKinds } = judged;
      const known = before?.listeners?.find(({ name }) => name === listener.name);
      return {
        name: listener.name,
        supportedKinds: routeKinds.map((kind) => ({ group: gatewayGroup, kind })),
        attachedRoutes: countAt(listener, attached),
        conditions: toConditions(known?.conditions, listenerVerdicts(judged, programmed, gateway, refs), time),
      };
    }),
  };
}

function acceptance(resolution: ReturnType<typeof resolveGateway>, listeners: readonly JudgedListener[]): Verdict {
  // Waiting for a tunnel that is being made is no fault of the Gateway.
  if (!resolution.ok && resolution.state === 'broken') {
    return verdict('Accepted', false, resolution.reason, resolution.message);
  }
  const bad = listeners.filter(({ usable }) => !usable).map(({ listener }) => listener.name);
  if (bad.length === 0) return verdict('Accepted', true, 'Accepted', 'a tunnel serves it');
  return verdict('Accepted', bad.length < listeners.length, 'ListenersNotValid', `not in order: ${bad.join(', ')}`);
}

function programming(accepted: Verdict, { state, ready }: View, dnsProblems: readonly string[]): Verdict {
  if (!accepted.holds) return verdict('Programmed', false, 'Invalid', accepted.message);
  if (state === 'Pending') return verdict('Programmed', false, 'Pending', ready.message);
  if (state === 'Error') return verdict('Programmed', false, 'Invalid', ready.message);
  const [problem] = dnsProblems;
  if (problem !== undefined)
    return verdict('Programmed', false, 'Pending', `no DNS record for ${dnsProblems.join('; ')}`);
  return verdict('Programmed', true, 'Programmed', 'the tunnel has its rules');
}

function countAt({ name }: Listener, attached: readonly AttachedRoute[]): number {
  return attached.filter(({ at }) => at.some(({ listener }) => listener === name)).length;
}

function listenerVerdicts(
  { listener, accepted, conflicted, kindsResolved, usable }: JudgedListener,
  ofGateway: Verdict,
  gateway: Gateway,
  refs: Refs,
): readonly Verdict[] {
  const resolved = kindsResolved.holds ? (certificateProblem(listener, gateway, refs) ?? kindsResolved) : kindsResolved;
  const programmed = usable
    ? ofGateway
    : verdict('Programmed', false, 'Invalid', accepted.holds ? conflicted.message : accepted.message);
  return [accepted, programmed, resolved, conflicted];
}

/** Cloudflare has certificates of its own, but one that is named and not there is an error all the same. */
function certificateProblem({ protocol, tls }: Listener, { metadata }: Gateway, refs: Refs): Verdict | undefined {
  if (protocol !== 'HTTPS') return undefined;
  const own = metadata.namespace ?? '';
  for (const { group = '', kind = 'Secret', name, namespace = own } of tls?.certificateRefs ?? []) {
    if (group !== '' || kind !== 'Secret') return refuse('InvalidCertificateRef', `${kind} ${name} is no Secret`);
    const reference = { from: { kind: 'Gateway', namespace: own }, to: { group, kind, namespace, name } };
    if (!isGranted(reference, refs)) {
      return refuse(
        'RefNotPermitted',
        `no ReferenceGrant of namespace ${namespace} lets this Gateway refer to Secret ${name}`,
      );
    }
    const secret = refs.secret({ namespace, name });
    if (!secret.ok) return refuse('InvalidCertificateRef', secret.message);
    const isWhole = ['tls.crt', 'tls.key'].every((key) => secret.value.data?.[key]);
    if (!isWhole) return refuse('InvalidCertificateRef', `Secret ${namespace}/${name} needs tls.crt and tls.key`);
  }
  return undefined;
}

function refuse(reason: string, message: string): Verdict {
  return verdict('ResolvedRefs', false, reason, message);
}

import { CloudflareError } from '../errors/cloudflare-error.ts';
import type { Call, Layer } from './call.ts';

/**
 * Collections, below an account or a zone, whose members are deleted one by one. A DELETE on the collection itself is
 * an id that got lost on the way.
 */
const collections: readonly RegExp[] = [
  /^\/(zones|accounts|certificates|user)$/u,
  /^\/(user|accounts\/[^/]+)\/tokens$/u,
  /^\/zones\/[^/]+\/(dns_records|settings)$/u,
  /^\/accounts\/[^/]+\/(cfd_tunnel|warp_connector|tunnels)$/u,
  /^\/accounts\/[^/]+\/teamnet\/(routes|virtual_networks)$/u,
  /^\/accounts\/[^/]+\/zerotrust\/routes\/hostname$/u,
  /^\/(accounts|zones)\/[^/]+\/access\/[^/]+$/u,
  /^\/(accounts|zones)\/[^/]+\/access\/apps\/[^/]+\/policies$/u,
  /^\/accounts\/[^/]+\/gateway\/[^/]+$/u,
  /^\/accounts\/[^/]+\/devices\/(policy|policies|posture|posture\/integration)$/u,
  /^\/accounts\/[^/]+\/r2\/buckets$/u,
  /^\/accounts\/[^/]+\/r2\/buckets\/[^/]+\/domains\/custom$/u,
  /^\/accounts\/[^/]+\/event_notifications\/r2\/[^/]+\/configuration(\/queues)?$/u,
  /^\/(accounts|zones)\/[^/]+\/rulesets$/u,
  /^\/(accounts|zones)\/[^/]+\/rulesets\/[^/]+\/rules$/u,
  /^\/accounts\/[^/]+\/rules\/lists$/u,
  /^\/accounts\/[^/]+\/queues$/u,
  /^\/accounts\/[^/]+\/queues\/[^/]+\/consumers$/u,
  /^\/accounts\/[^/]+\/pages\/projects$/u,
  /^\/accounts\/[^/]+\/pages\/projects\/[^/]+\/(domains|deployments)$/u,
];

/** What an id looks like that was never there. */
const emptySegment = /^(|%20|undefined|null|NaN|\[object%20Object\])$/u;

/** Refuses, before anything is sent, a path with an empty id and a DELETE on a collection. */
export const withPathGuard: Layer = (next) => async (call) => {
  const problem = problemOf(call);
  if (problem !== undefined) throw toRefusal(call, problem);
  return next(call);
};

function problemOf({ method, path }: Call): string | undefined {
  if (
    path
      .split('/')
      .slice(1)
      .some((segment) => emptySegment.test(segment))
  )
    return 'an id in it is empty';
  if (method === 'DELETE' && collections.some((pattern) => pattern.test(path))) return 'it is a whole collection';
  return undefined;
}

function toRefusal({ family, method, path }: Call, problem: string): CloudflareError {
  return new CloudflareError({
    class: 'validation',
    retry: { kind: 'never' },
    family,
    method,
    path,
    status: 0,
    apiCode: undefined,
    messages: [],
    detail: `not sent, ${problem}`,
    pointer: undefined,
    requestId: undefined,
    effect: 'none',
  });
}

import { gatewayGroup } from './gateway-kinds.ts';
import type { Gateway, Listener } from './gateway-kinds.ts';
import { verdict } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** A listener as a tunnel can have it. */
export type JudgedListener = {
  readonly listener: Listener;
  /** The kinds of routes that may attach, of those that it asks for. */
  readonly routeKinds: readonly string[];
  readonly accepted: Verdict;
  readonly conflicted: Verdict;
  /** About the kinds of routes that it names. */
  readonly kindsResolved: Verdict;
  /** Routes may attach: it is accepted and at odds with none. */
  readonly usable: boolean;
};

/** Cloudflare ends TLS, and a tunnel carries requests and, to named hosts, streams. */
const kindsByProtocol: Readonly<Record<string, readonly string[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TCP: ['TCPRoute'],
};

export function judgeListeners({ spec }: Gateway): readonly JudgedListener[] {
  const all = spec?.listeners ?? [];
  return all.map((listener) => {
    const supported = kindsByProtocol[listener.protocol] ?? [];
    const asked = listener.allowedRoutes?.kinds ?? [];
    const isKnown = ({ group = gatewayGroup, kind }: (typeof asked)[number]): boolean =>
      group === gatewayGroup && supported.includes(kind);
    const routeKinds = asked.length === 0 ? supported : asked.filter(isKnown).map(({ kind }) => kind);
    const strange = asked.filter((each) => !isKnown(each)).map(({ kind }) => kind);
    const accepted = acceptance(listener);
    const conflicted = conflict(listener, all);
    return {
      listener,
      routeKinds: [...new Set(routeKinds)],
      accepted,
      conflicted,
      kindsResolved:
        strange.length === 0
          ? verdict('ResolvedRefs', true, 'ResolvedRefs', 'everything that it refers to is there')
          : verdict(
              'ResolvedRefs',
              false,
              'InvalidRouteKinds',
              `${strange.join(', ')}: not for a ${listener.protocol} listener`,
            ),
      usable: accepted.holds && !conflicted.holds,
    };
  });
}

function acceptance({ protocol, tls }: Listener): Verdict {
  if (protocol === 'UDP') return refuse('cloudflared carries UDP in private networks only: use a NetworkRoute');
  if (!kindsByProtocol[protocol]) return refuse(`a tunnel has no listener for ${protocol}; HTTP, HTTPS and TCP it has`);
  if (tls?.mode === 'Passthrough') return refuse('TLS ends at Cloudflare and cannot pass through');
  if (tls?.frontendValidation)
    return refuse('certificates of clients are checked by Cloudflare Access, not by a tunnel');
  const note = protocol === 'HTTPS' ? '; Cloudflare serves its own certificate for the zone' : '';
  return verdict('Accepted', true, 'Accepted', `served by the tunnel${note}`);
}

function refuse(message: string): Verdict {
  return verdict('Accepted', false, 'UnsupportedProtocol', message);
}

function conflict(listener: Listener, all: readonly Listener[]): Verdict {
  const neighbours = all.filter((other) => other !== listener && other.port === listener.port);
  const stranger = neighbours.find(({ protocol }) => protocol !== listener.protocol);
  if (stranger) {
    const message = `listener ${stranger.name} speaks ${stranger.protocol} on port ${listener.port}`;
    return verdict('Conflicted', true, 'ProtocolConflict', message);
  }
  const twin = neighbours.find(
    ({ hostname = '' }) => hostname.toLowerCase() === (listener.hostname ?? '').toLowerCase(),
  );
  if (!twin) return verdict('Conflicted', false, 'NoConflicts', 'no other listener is in its way');
  return verdict('Conflicted', true, 'HostnameConflict', `listener ${twin.name} has the same host name and port`);
}

import type { Service } from '../builtin-kinds.ts';

/** How cloudflared is told to talk to an origin: by the scheme of the service, and for HTTP/2 by an option. */
export type Protocol = { readonly scheme: string; readonly http2?: true };

const schemes = new Set(['http', 'https', 'tcp', 'udp', 'ssh', 'rdp', 'smb', 'bastion', 'ws', 'wss']);
/** Names for HTTP/2 without TLS: cloudflared knows no scheme for it, but an option of HTTP. */
const http2Names = new Set(['h2c', 'http2', 'h2mux', 'kubernetes.io/h2c']);

export function isProtocol(name: string): boolean {
  return schemes.has(name) || http2Names.has(name);
}

const appProtocols: Readonly<Record<string, string>> = {
  grpc: 'http',
  'kubernetes.io/ws': 'ws',
  'kubernetes.io/wss': 'wss',
};

const portNames: Readonly<Record<string, string>> = {
  'http-web': 'http',
  'http-api': 'http',
  web: 'http',
  grpc: 'http',
  'grpc-web': 'http',
  'https-web': 'https',
  'https-api': 'https',
  secure: 'https',
  websocket: 'ws',
  'websocket-secure': 'wss',
};

const wellKnownPorts: Readonly<Record<number, string>> = {
  443: 'https',
  22: 'ssh',
  3389: 'rdp',
  139: 'smb',
  445: 'smb',
};

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number];

export type ProtocolQuestion = {
  /** Of the Ingress, and of the Ingress for this port, by number or name. */
  readonly annotated: string | undefined;
  readonly annotatedForPort: string | undefined;
  /** `cloudflare.com/protocol` of the Service. */
  readonly ofService: string | undefined;
  readonly port: Partial<Port>;
  readonly classDefault: string;
};

/** The first that tells: annotations, the Service, its port, the class, the number of the port. */
export function detectProtocol({
  annotated,
  annotatedForPort,
  ofService,
  port,
  classDefault,
}: ProtocolQuestion): Protocol {
  const name =
    known(annotated) ??
    known(annotatedForPort) ??
    known(ofService) ??
    known(port.appProtocol, appProtocols) ??
    known(port.name, portNames) ??
    // The schema fills in http: only another default is a wish, and a well-known port says more than that.
    (classDefault === 'http' ? undefined : classDefault) ??
    wellKnownPorts[port.port ?? 0] ??
    'http';
  return http2Names.has(name) ? { scheme: 'http', http2: true } : { scheme: name };
}

function known(name: string | undefined, also: Readonly<Record<string, string>> = {}): string | undefined {
  const lower = name?.toLowerCase();
  if (lower === undefined) return undefined;
  return also[lower] ?? (isProtocol(lower) ? lower : undefined);
}

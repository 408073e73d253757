import type { Service } from '../builtin-kinds.ts';
import { ingressPrefix } from './annotations.ts';
import type { OriginWishes } from './annotations.ts';
import { detectProtocol } from './protocol.ts';
import type { Protocol } from './protocol.ts';

/** What a rule sends requests to. */
export type Origin = { readonly service: string; readonly http2?: true; readonly bastion?: true };

export type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];
export type AskedPort = { readonly number?: number | undefined; readonly name?: string | undefined };

/** Without a port the first one is meant. A Service that is but another name need not list its ports. */
export function servicePort({ spec }: Service, asked: AskedPort | undefined): ServicePort | undefined {
  const ports = spec?.ports ?? [];
  if (asked?.name) return ports.find(({ name }) => name === asked.name);
  if (asked?.number === undefined) return ports[0];
  const listed = ports.find(({ port }) => port === asked.number);
  return listed ?? (spec?.type === 'ExternalName' ? { port: asked.number } : undefined);
}

export type ProtocolWishes = {
  readonly wishes: Pick<OriginWishes, 'protocol' | 'protocolByPort'>;
  readonly classDefault: string;
};

/** How to speak to a port of a Service: by annotations, by what the Service says, by the class. */
export function protocolOf(service: Service, port: ServicePort, { wishes, classDefault }: ProtocolWishes): Protocol {
  const byName = port.name === undefined ? undefined : wishes.protocolByPort.get(port.name);
  return detectProtocol({
    annotated: wishes.protocol,
    annotatedForPort: wishes.protocolByPort.get(String(port.port)) ?? byName,
    ofService: service.metadata.annotations?.[`${ingressPrefix}protocol`],
    port,
    classDefault,
  });
}

export function toOrigin(service: Service, port: ServicePort, { scheme, http2 }: Protocol): Origin {
  if (scheme === 'bastion') return { service: 'bastion', bastion: true };
  const { type, externalName } = service.spec ?? {};
  const { name = '', namespace = '' } = service.metadata;
  // By its own name an outside host gets the SNI and the Host header that it expects.
  const host = type === 'ExternalName' && externalName ? externalName : `${name}.${namespace}.svc`;
  return { service: `${scheme}://${host}:${port.port}`, ...(http2 && { http2 }) };
}

/** Options of the connection: those of the class, what the origin needs, and above all what the object says. */
export function optionsOf(
  { http2, bastion }: Origin,
  classOptions: OriginWishes['originRequest'],
  own: OriginWishes['originRequest'],
): OriginWishes['originRequest'] {
  return { ...classOptions, ...(http2 && { http2Origin: true }), ...(bastion && { bastionMode: true }), ...own };
}

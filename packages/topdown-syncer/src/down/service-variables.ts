import type { Service } from '../contract/cluster-kinds.ts';
import type { Container, EnvVar } from '../contract/pod.ts';
import type { ApiAddress } from './redirection.ts';

/** What a container is told about V's Services, and which names its own ConfigMaps and Secrets set already. */
export type ServiceVariables = {
  readonly variables: readonly EnvVar[];
  readonly setByEnvFrom: (container: Container) => readonly string[];
};

type Port = { readonly name?: string; readonly port?: number; readonly protocol?: string };

/**
 * The variables that a kubelet of V would set for these Services: host, ports, and the older ones of Docker links. P's kubelets know
 * only P's Services.
 */
export function toServiceVariables(services: readonly Service[]): readonly EnvVar[] {
  const byName = services.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return byName.flatMap(({ metadata, spec }) => {
    const ip = spec?.clusterIP;
    // Headless Services have none, and external names are found by DNS.
    if (!ip || ip === 'None') return [];
    return variablesOf(metadata.name ?? '', ip, spec.ports ?? []);
  });
}

/** The same for V's API server where it is reached from P: kubelets set these in every container. */
export function toApiVariables({ host, port }: ApiAddress): readonly EnvVar[] {
  return variablesOf('kubernetes', host, [{ name: 'https', port, protocol: 'TCP' }]);
}

function variablesOf(service: string, ip: string, ports: readonly Port[]): readonly EnvVar[] {
  const prefix = toVariable(service);
  const [first] = ports;
  if (first === undefined) return [{ name: `${prefix}_SERVICE_HOST`, value: ip }];
  return [
    { name: `${prefix}_SERVICE_HOST`, value: ip },
    { name: `${prefix}_SERVICE_PORT`, value: String(first.port) },
    ...ports.flatMap(({ name, port }) =>
      name ? [{ name: `${prefix}_SERVICE_PORT_${toVariable(name)}`, value: String(port) }] : [],
    ),
    { name: `${prefix}_PORT`, value: urlOf(ip, first) },
    ...ports.flatMap((port) => linkOf(prefix, ip, port)),
  ];
}

function linkOf(prefix: string, ip: string, port: Port): readonly EnvVar[] {
  const { protocol = 'TCP' } = port;
  const link = `${prefix}_PORT_${port.port}_${protocol.toUpperCase()}`;
  return [
    { name: link, value: urlOf(ip, port) },
    { name: `${link}_PROTO`, value: protocol.toLowerCase() },
    { name: `${link}_PORT`, value: String(port.port) },
    { name: `${link}_ADDR`, value: ip },
  ];
}

function urlOf(ip: string, { port, protocol = 'TCP' }: Port): string {
  return `${protocol.toLowerCase()}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}

function toVariable(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

// What the server gives to a Service: a cluster IP out of 10.96.0.0/16 and node ports. What is taken is read from the
// store, so there is nothing to keep in step with it.
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { ApiError, invalid } from '../../registry/api-error.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { invalidField } from '../../schema/field-errors.ts';
import { count, items, text, texts } from '../draft-fields.ts';

const kind = { group: '', kind: 'Service' };
/** 10.96.0.0/16 without the address of the network and the broadcast. */
const range = { prefix: '10.96.', size: 65_534 };
const firstNodePort = 30_000;
const nodePorts = 2768;

/** Cluster IPs in use, without that of the Service that asks. */
function takenAddresses(context: HookContext, uid: string): ReadonlySet<string> {
  const others = context.list('', 'services').filter((service) => service.metadata.uid !== uid);
  return new Set(others.flatMap((service) => texts(service['spec'] as Draft, 'clusterIPs')));
}

/** A chance that is the same for the same uid, so that a simulation repeats itself. */
function draw(uid: string, limit: number): number {
  let hash = 2_166_136_261;
  for (const char of uid) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619) >>> 0;
  return hash % limit;
}

/** Who asks for an address. */
export type ServiceIdentity = { readonly name: string; readonly uid: string };

/** An address that the user chose is taken as it is: whether it can be had is for `checkClusterIp` to say. */
export function allocateClusterIp(spec: Draft, { uid }: ServiceIdentity, context: HookContext): void {
  const wanted = text(spec, 'clusterIP') || (texts(spec, 'clusterIPs')[0] ?? '');
  if (wanted === 'None') {
    spec['clusterIP'] = 'None';
    spec['clusterIPs'] = ['None'];
    return;
  }
  const taken = takenAddresses(context, uid);
  const address = wanted === '' ? freeAddress(taken, uid) : wanted;
  spec['clusterIP'] = address;
  spec['clusterIPs'] = [address];
}

/** Refuses an address that is not ours to give or is given already. */
export function checkClusterIp(
  wanted: string,
  { name, uid }: ServiceIdentity,
  dryRun: boolean,
  context: HookContext,
): void {
  if (wanted === '' || wanted === 'None') return;
  const failed = (fault: string): ApiError =>
    invalid(kind, name, [clusterIpFault(wanted, `failed to allocate IP ${wanted}: ${fault}`)]);
  if (!wanted.startsWith(range.prefix)) {
    // A dry run asks another part of the server, which has other words for it.
    throw failed(
      dryRun
        ? `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is 10.96.0.0/16`
        : 'the provided network does not match the current range',
    );
  }
  if (takenAddresses(context, uid).has(wanted)) throw failed('provided IP is already allocated');
}

function clusterIpFault(wanted: string, fault: string): FieldError {
  return invalidField('spec.clusterIPs', [wanted], fault);
}

/** The lower end of the range is left to those who choose their address themselves. */
function freeAddress(taken: ReadonlySet<string>, uid: string): string {
  const reserved = 256;
  const start = draw(uid, range.size - reserved);
  for (let step = 0; step < range.size - reserved; step += 1) {
    const number = reserved + ((start + step) % (range.size - reserved));
    const address = `${range.prefix}${number >> 8}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
  throw new ApiError(500, 'InternalError', 'Internal error occurred: failed to allocate a serviceIP: range is full');
}

/** Ports of every node for Services that are reached from outside. */
export function allocateNodePorts(spec: Draft, { name, uid }: ServiceIdentity, context: HookContext): void {
  const type = text(spec, 'type');
  const balanced = type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false;
  const others = context.list('', 'services').filter((service) => service.metadata.uid !== uid);
  const taken = new Set(others.flatMap((service) => portsOf(service['spec'] as Draft)));
  for (const [index, port] of items(spec, 'ports').entries()) {
    const wanted = count(port, 'nodePort');
    if (wanted !== 0) checkNodePort(wanted, taken, name, index);
    else if (type === 'NodePort' || balanced) {
      port['nodePort'] = freePort(taken, `${uid}/${index}`);
      taken.add(count(port, 'nodePort'));
    }
  }
  if (
    type === 'LoadBalancer' &&
    text(spec, 'externalTrafficPolicy') === 'Local' &&
    count(spec, 'healthCheckNodePort') === 0
  ) {
    spec['healthCheckNodePort'] = freePort(taken, `${uid}/health`);
  }
}

function portsOf(spec: Draft): readonly number[] {
  return [...items(spec, 'ports').map((port) => count(port, 'nodePort')), count(spec, 'healthCheckNodePort')];
}

function checkNodePort(wanted: number, taken: ReadonlySet<number>, name: string, index: number): void {
  const failed = (fault: string): ApiError =>
    invalid(kind, name, [invalidField(`spec.ports[${index}].nodePort`, wanted, fault)]);
  if (wanted < firstNodePort || wanted >= firstNodePort + nodePorts) {
    throw failed('provided port is not in the valid range. The range of valid ports is 30000-32767');
  }
  if (taken.has(wanted)) throw failed('provided port is already allocated');
}

function freePort(taken: ReadonlySet<number>, seed: string): number {
  const start = draw(seed, nodePorts);
  for (let step = 0; step < nodePorts; step += 1) {
    const port = firstNodePort + ((start + step) % nodePorts);
    if (!taken.has(port)) return port;
  }
  throw new ApiError(500, 'InternalError', 'Internal error occurred: failed to allocate a nodePort: range is full');
}

/** Whether this Service has an address inside the cluster. */
export function needsClusterIp(spec: Draft): boolean {
  return text(spec, 'type') !== 'ExternalName';
}

export function isHeadless(spec: Draft): boolean {
  return texts(spec, 'clusterIPs')[0] === 'None' || text(spec, 'clusterIP') === 'None';
}

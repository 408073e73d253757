import { hash } from 'node:crypto';
import type { ObjectRef } from '@tributary/runtime';

/** The name of an object's copy in P: at most 30 bytes to read, then a hash that tells all objects of V apart. */
export type PhysicalName = (ref: ObjectRef) => string;

const readableBytes = 30;

/**
 * As Kubeocean names: `<first 30 bytes>-<md5 of namespace/name>`, never longer than 63. A salt is part of what is hashed, so
 * that several virtual clusters can share one mount namespace.
 */
export function createPhysicalName(salt = ''): PhysicalName {
  return ({ namespace = '', name }) => {
    const hashed = hash('md5', salt === '' ? `${namespace}/${name}` : `${salt}/${namespace}/${name}`, 'hex');
    return `${toReadable(name)}-${hashed}`;
  };
}

/** What a projected token's Secret is called, before it is mapped like any other name. */
export function tokenSecretKey(pod: { readonly name: string; readonly uid: string }, volume: string): string {
  return `${pod.name}-${volume}-${pod.uid}`;
}

/** How the names of all virtual nodes begin, whoever made them. */
export const vnodePrefix = 'vnode-';

export function vnodeName(clusterId: string, physicalNode: string): string {
  const whole = `${vnodePrefix}${clusterId}-${physicalNode}`;
  return whole.length < 64 ? whole : `${toReadable(whole)}-${hash('md5', whole, 'hex')}`;
}

const longestHostname = 63;

/** A pod's name as its hostname: one label, so the dots of a name must go. Undefined when nothing is left. */
export function toHostname(podName: string): string | undefined {
  const cut = podName.replaceAll('.', '-').slice(0, longestHostname).replace(/-+$/, '');
  return cut === '' ? undefined : cut;
}

const longestLabel = 63;

/** Cut to what a label's value may be; upstream's value where that is valid. */
export function toLabelValue(text: string): string {
  return text
    .replaceAll(/[^-A-Za-z0-9_.]/g, '-')
    .slice(0, longestLabel)
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/[^A-Za-z0-9]+$/, '');
}

/** A cut that ends in a dot would be followed by a dash, which no name may have: the dots go, the dashes stay as they are. */
function toReadable(name: string): string {
  return Buffer.from(name, 'utf8').subarray(0, readableBytes).toString('latin1').replace(/\.+$/, '');
}

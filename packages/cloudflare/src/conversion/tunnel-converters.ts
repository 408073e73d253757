import type { Json } from '../refs/tunnels/strategic-merge.ts';
import { convertTunnel, group } from './convert-tunnel.ts';

/** The conversion for a server that does it in process, by the name of the CRD. */
export const tunnelConverters: Readonly<Record<string, <T extends object>(object: T, toApiVersion: string) => T>> = {
  [`tunnels.${group}`]: convert,
  [`clustertunnels.${group}`]: convert,
};

function convert<T extends object>(object: T, toApiVersion: string): T {
  return convertTunnel(object as Json, toApiVersion) as T;
}

import type { Estate } from '../estate/create-estate.ts';
import { refusal } from '../rpc/rpc-error.ts';

/** 198.18.0.0/15 is set aside for tests of networks: nobody's address is in it. */
const addresses = 2 ** 17;

/** The lowest one that is free, or the one asked for. */
export function freeAddress(estate: Pick<Estate, 'eips'>, wanted: string | undefined): string {
  const taken = new Set(estate.eips().map(({ ipAddress }) => ipAddress));
  if (wanted !== undefined) {
    if (taken.has(wanted)) throw refusal('ReserveIpFail', 'Reserve eip failed.');
    return wanted;
  }
  for (let offset = taken.size + 1; offset < addresses + taken.size; offset += 1) {
    const address = toAddress(offset % addresses);
    if (!taken.has(address)) return address;
  }
  throw refusal('ReserveIpFail', 'Reserve eip failed.');
}

function toAddress(offset: number): string {
  return `198.${18 + Math.floor(offset / 65_536)}.${Math.floor(offset / 256) % 256}.${offset % 256}`;
}

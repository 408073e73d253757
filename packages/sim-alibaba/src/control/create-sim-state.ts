import type { Estate } from '../estate/create-estate.ts';
import type { BandwidthPackage, Eip, Tags } from '../estate/eip.ts';
import { without } from '../estate/without.ts';

export type SimEip = Omit<Eip, 'tagHistory' | 'tasks' | 'visibleFromMs'>;

export type SimPackage = Omit<BandwidthPackage, 'busyUntilMs'> & { readonly members: readonly string[] };

/** What there is at this moment, as copies. */
export type SimState = {
  readonly eips: () => readonly SimEip[];
  readonly eip: (allocationId: string) => SimEip | undefined;
  readonly tags: (allocationId: string) => Tags | undefined;
  readonly packages: () => readonly SimPackage[];
  readonly package: (id: string) => SimPackage | undefined;
};

export function createSimState(estate: Estate): SimState {
  const toPackage = (stored: BandwidthPackage): SimPackage => {
    const held = without(stored, 'busyUntilMs');
    const members = estate.eips().filter(({ membership }) => membership?.packageId === held.bandwidthPackageId);
    return structuredClone({ ...held, members: members.map(({ allocationId }) => allocationId) });
  };
  const eip = (id: string): SimEip | undefined => {
    const found = estate.eip(id);
    return found && toSimEip(found);
  };
  return {
    eips: () => estate.eips().map(toSimEip),
    eip,
    tags: (id) => eip(id)?.tags,
    packages: () => estate.packages().map(toPackage),
    package: (id) => {
      const found = estate.package(id);
      return found && toPackage(found);
    },
  };
}

function toSimEip(eip: Eip): SimEip {
  return structuredClone(without(without(without(eip, 'tagHistory'), 'tasks'), 'visibleFromMs'));
}

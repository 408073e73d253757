import type { ObjectMeta } from '@tributary/runtime';

/** Whether the object's author lets it take over what is there already and nobody's: for the config of a source. */
export function adoptWish({ annotations }: ObjectMeta): { readonly adopt?: true } {
  return annotations?.['cloudflare-operator.io/adopt'] === 'true' ? { adopt: true } : {};
}

import { z } from 'zod';

/**
 * An Access object of ours is known by the object that wants it, so that another name is a change and not another one:
 * those who refer to it keep its id. What is only looked up is known by its name at Cloudflare.
 */
export type AccessKey =
  | { readonly accountId: string; readonly owner: string }
  | { readonly accountId: string; readonly name: string; readonly lookup: 'true' };

export const ownedOrLookedUp = {
  readable: (key: AccessKey): string => ('owner' in key ? key.owner : `lookup-${key.name}`),
  cloudflareId: (key: AccessKey): string => ('owner' in key ? key.owner : key.name),
};

const wireRules = z.array(z.record(z.string(), z.record(z.string(), z.string())));

/** Rules as the API has them; none where an object is only looked up. */
export const accessRuleLists = {
  include: wireRules.optional(),
  exclude: wireRules.optional(),
  require: wireRules.optional(),
};

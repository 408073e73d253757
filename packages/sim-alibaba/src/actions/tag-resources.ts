import { isDeepStrictEqual } from 'node:util';
import { vpcAction } from '../rpc/action.ts';
import { flagOf, listOf, tagPairs } from '../rpc/params.ts';
import { missingParameter, refusal } from '../rpc/rpc-error.ts';
import { without } from '../estate/without.ts';
import { checkTagKey, checkedTags } from './checked-tags.ts';
import { checkTagRequest, findTagged } from './find-tagged.ts';

export const tagResources = vpcAction({
  name: 'TagResources',
  write: true,
  run: (context) => {
    const { params, world } = context;
    checkTagRequest(context);
    const eips = findTagged(context);
    if (tagPairs(params).length === 0) throw missingParameter('Tag.N.Key');
    const rules = { most: world.quotas.tagsPerEip, emptyValues: true };
    // All are looked at before the first is written.
    const tagged = eips.map((eip) => ({ eip, tags: checkedTags(eip.tags, params, rules) }));
    for (const { eip, tags } of tagged) {
      if (!isDeepStrictEqual(tags, eip.tags)) world.estate.setTags(eip, tags);
    }
    return {};
  },
});

export const unTagResources = vpcAction({
  name: 'UnTagResources',
  write: true,
  run: (context) => {
    const { params, world } = context;
    checkTagRequest(context);
    const eips = findTagged(context);
    const keys = listOf(params, 'TagKey');
    const all = flagOf(params, 'All') === true;
    if (keys.length > 20) throw refusal('NumberExceed.Tags', 'The maximum number of tags is exceeded.');
    if (keys.length === 0 && !all) throw missingParameter('TagKey.N');
    keys.forEach(checkTagKey);
    for (const eip of eips) {
      // Keys that are named count before `All`.
      const rest = keys.length === 0 ? {} : keys.reduce((tags, key) => without(tags, key), eip.tags);
      if (Object.keys(rest).length < Object.keys(eip.tags).length) world.estate.setTags(eip, rest);
    }
    return {};
  },
});

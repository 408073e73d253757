import type { Tags } from '../estate/eip.ts';
import { tagPairs } from '../rpc/params.ts';
import type { Params } from '../rpc/params.ts';
import { refusal } from '../rpc/rpc-error.ts';

export type TagRules = {
  readonly most: number;
  /** TagResources takes an empty value, AllocateEipAddress does not. */
  readonly emptyValues: boolean;
};

/** The most that one call may bring. */
const mostPerCall = 20;

/** The tags there are, with those of the call put over them. */
export function checkedTags(held: Tags, params: Params, { most, emptyValues }: TagRules): Tags {
  const pairs = tagPairs(params);
  if (pairs.length > mostPerCall) throw refusal('NumberExceed.Tags', 'The maximum number of tags is exceeded.');
  const keys = pairs.map(({ key }) => key);
  if (new Set(keys).size < keys.length) throw refusal('Duplicate.TagKey', 'The tag key is duplicated.');
  const tags: Record<string, string> = { ...held };
  for (const { key, value = '' } of pairs) {
    checkTagKey(key);
    if (value.length > 128 || isReserved(value) || (value === '' && !emptyValues)) {
      throw refusal('InvalidTagValue', 'The specified tag value is not valid.');
    }
    tags[key] = value;
  }
  if (Object.keys(tags).length > most) {
    throw refusal('QuotaExceeded.TagPerResource', 'The maximum number of tags of the resource is exceeded.');
  }
  return tags;
}

export function checkTagKey(key: string): void {
  if (key === '' || key.length > 128 || isReserved(key)) {
    throw refusal('InvalidTagKey', 'The specified tag key is not valid.');
  }
}

function isReserved(text: string): boolean {
  return /^(aliyun|acs:)/i.test(text) || /https?:\/\//i.test(text);
}

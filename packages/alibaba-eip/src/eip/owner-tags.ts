import { hashOf } from '@tributary/runtime';
import { ownTagPrefix } from './own-tag-prefix.ts';
import type { EipObject } from './resource.ts';

/** The mark that an address is born with: by it an address whose id got lost is found again. */
export const clusterTag = `${ownTagPrefix}cluster`;
export const objectTag = `${ownTagPrefix}object`;
export const uidTag = `${ownTagPrefix}uid`;
export const ownerTagCount = 3;

const maxTagValue = 128;

export function ownerTags(
  clusterId: string,
  { metadata }: Pick<EipObject, 'metadata'>,
): Readonly<Record<string, string>> {
  return {
    [clusterTag]: clusterId,
    [objectTag]: shorten(`${metadata.namespace}/${metadata.name}`),
    [uidTag]: metadata.uid ?? '',
  };
}

/** For people only: the uid is what counts. */
function shorten(text: string): string {
  if (text.length <= maxTagValue) return text;
  return `${text.slice(0, maxTagValue - 9)}-${hashOf(text).slice(0, 8)}`;
}

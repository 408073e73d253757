import type { Eip } from '../estate/eip.ts';
import { vpcAction } from '../rpc/action.ts';
import type { ActionContext } from '../rpc/action.ts';
import { integerOf, listOf, tagPairs, textOf } from '../rpc/params.ts';
import { invalidParameter, missingParameter } from '../rpc/rpc-error.ts';
import { hasTags } from './eip-filter.ts';
import { checkTagRequest } from './find-tagged.ts';

export const listTagResources = vpcAction({
  name: 'ListTagResources',
  write: false,
  run: (context) => {
    const { params } = context;
    checkTagRequest(context);
    const rows = foundEips(context).flatMap(({ allocationId, tags }) =>
      Object.entries(tags).map(([TagKey, TagValue]) => ({
        ResourceId: allocationId,
        ResourceType: 'EIP',
        TagKey,
        TagValue,
      })),
    );
    const most = integerOf(params, 'MaxResults', [1, 50]) ?? 50;
    const from = readNextToken(textOf(params, 'NextToken'));
    const page = rows.slice(from, from + most);
    const more = from + most < rows.length && { NextToken: toNextToken(from + most) };
    return { TagResources: { TagResource: page }, ...more };
  },
});

function foundEips({ params, regionId, caller, world }: ActionContext): readonly Eip[] {
  const ids = listOf(params, 'ResourceId');
  const pairs = tagPairs(params);
  if (ids.length === 0 && pairs.length === 0) throw missingParameter('ResourceId.N');
  if (ids.length > 50) throw invalidParameter('ResourceId', 'holds more than 50 values');
  if (pairs.length > 20) throw invalidParameter('Tag', 'holds more than 20 tags');
  return world.estate
    .eips()
    .filter((eip) => eip.accountId === caller.accountId && eip.regionId === regionId)
    .filter(({ allocationId }) => ids.length === 0 || ids.includes(allocationId))
    .filter(({ tags }) => hasTags(tags, pairs));
}

function toNextToken(from: number): string {
  return Buffer.from(`from ${from}`).toString('base64url');
}

function readNextToken(token: string | undefined): number {
  if (token === undefined) return 0;
  const [, from] = /^from (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (from === undefined) throw invalidParameter('NextToken');
  return Number(from);
}

import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Refs, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { defaultCredentials } from '../../refs/credentials-of.ts';
import { cloudflareCredentialsContract } from '../../targets/cloudflare-credentials/contract.ts';
import { cloudflareCredentialsKind } from './resource.ts';
import type { CloudflareCredentials } from './resource.ts';

export const cloudflareCredentialsContributor = defineContributor<CloudflareCredentials, string>({
  kind: cloudflareCredentialsKind,
  finalizer: 'cloudflarecredentials.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/credentials-finalizer'],
  resolve: ({ metadata }) => ({ ok: true, value: metadata.name ?? '' }),
  contribute: ({ spec: { accountId, authType } }, name) => [
    contribution(cloudflareCredentialsContract, { name }, { accountId, authType }, { credentials: { name } }),
  ],
  holdDeletion,
  verdict: duplicateDefault,
  status: ({ status }, { state, ready, parts: [part] }) => ({
    state: stateOf(state, ready) ?? status?.state,
    ...(state !== 'Pending' && { validated: state === 'Synced' }),
    ...(state === 'Synced' && {
      accountName: part?.outputs['accountName'],
      lastValidatedTime: part?.syncState?.status?.lastSyncTime,
    }),
  }),
  ready: { synced: 'Validated', pending: 'Pending', failed: 'ValidationFailed' },
});

function stateOf(state: View['state'], ready: View['ready']): 'Ready' | 'Error' | undefined {
  if (state === 'Pending') return undefined;
  return ready.status === 'True' ? 'Ready' : 'Error';
}

/** What still has to be undone at Cloudflare needs them. */
function holdDeletion({ metadata }: CloudflareCredentials, refs: Refs): string | undefined {
  const users = refs
    .syncStatesUsing(metadata.name ?? '')
    .filter(({ spec }) => spec.resourceType !== cloudflareCredentialsContract.type)
    .map((state) => state.metadata.name ?? '');
  if (users.length === 0) return undefined;
  const more = users.length > 3 ? ` and ${users.length - 3} more` : '';
  return `still used by CloudflareSyncState ${users.toSorted().slice(0, 3).join(', ')}${more}`;
}

/** Two defaults would make the credentials of others a matter of luck: the older one counts, the younger one hears it. */
function duplicateDefault(object: CloudflareCredentials, _: View, refs: Refs): Partial<View['ready']> | undefined {
  const first = object.spec.isDefault ? defaultCredentials(refs)?.metadata.name : undefined;
  if (first === undefined || first === object.metadata.name) return undefined;
  const message = `spec.isDefault: CloudflareCredentials ${first} is the default already`;
  return { status: 'False', reason: 'DuplicateDefault', message };
}

import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import { domainRegistrationContract } from '../../targets/domain-registration/contract.ts';
import { domainRegistrationKind } from './resource.ts';
import type { DomainRegistration } from './resource.ts';

export const domainRegistrationContributor = defineContributor<DomainRegistration, Account>({
  kind: domainRegistrationKind,
  finalizer: 'domainregistration.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/domain-registration-finalizer'],
  resolve: ({ spec }, refs) => credentialsOf(refs, { credentialsRef: spec.credentialsRef }, undefined),
  contribute: ({ spec }, { accountId, credentials }) => {
    const domain = spec.domainName.toLowerCase();
    const { autoRenew } = spec.configuration ?? {};
    const config = { domainName: domain, ...(autoRenew !== undefined && { autoRenew }) };
    return [contribution(domainRegistrationContract, { accountId, domain }, config, { credentials })];
  },
  status: (object, view) => {
    const [part] = view.parts;
    const { status = '', autoRenew, locked, privacy, ...dates } = part?.outputs ?? {};
    const complaints = unchangeable(object, view);
    return {
      state: stateOf(view, status, object.status?.state),
      message: complaints ?? (view.ready.status === 'True' ? '' : view.ready.message),
      ...(part && { accountId: part.contribution.syncState.accountId }),
      ...(part?.id && {
        domainId: part.id,
        currentRegistrar: 'Cloudflare',
        registryStatuses: status,
        ...dates,
        ...(autoRenew && { autoRenew: autoRenew === 'true' }),
        ...(locked && { locked: locked === 'true' }),
        ...(privacy && { privacy: privacy === 'true' }),
        transferInStatus: status === 'transfer_pending' ? 'in_progress' : '',
      }),
    };
  },
  verdict: (object, view) => {
    const message = unchangeable(object, view);
    return message === undefined ? undefined : { status: 'False', reason: 'NotSupported', message };
  },
  ready: { synced: 'DomainActive', pending: 'Pending', failed: 'Error' },
});

/** What is wanted and cannot be had by the API of Cloudflare, which sets the renewal and nothing else. */
function unchangeable({ spec }: DomainRegistration, { parts }: View): string | undefined {
  const { configuration, registrantContact } = spec;
  const { locked, privacy } = parts[0]?.outputs ?? {};
  const complaints = [
    ...(configuration && locked !== undefined && String(configuration.locked) !== locked
      ? ['configuration.locked']
      : []),
    ...(configuration && privacy !== undefined && String(configuration.privacy) !== privacy
      ? ['configuration.privacy']
      : []),
    ...(configuration?.nameServers?.length ? ['configuration.nameServers'] : []),
    ...(registrantContact ? ['registrantContact'] : []),
  ].map((field) => `spec.${field}`);
  if (complaints.length === 0) return undefined;
  return `${complaints.join(', ')}: only autoRenew can be changed by the API of Cloudflare; use its dashboard and leave this out`;
}

type State = NonNullable<NonNullable<DomainRegistration['status']>['state']>;

const states: Readonly<Record<string, State>> = {
  active: 'Active',
  registration_pending: 'Pending',
  transfer_pending: 'TransferPending',
  expired: 'Expired',
  redemption_period: 'Expired',
  pending_delete: 'Expired',
};

function stateOf({ state, losses }: View, registered: string, before: State | undefined): State {
  if (state === 'Error' || losses.length > 0) return 'Error';
  if (state === 'Pending') return before === undefined || before === 'Pending' ? 'Pending' : 'Syncing';
  return states[registered] ?? 'Error';
}

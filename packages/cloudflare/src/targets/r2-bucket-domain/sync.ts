import { listAll } from '@tributary/cloudflare-api';
import { OperatorError } from '@tributary/runtime';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { nextLookAt } from '../next-look.ts';
import { atJurisdiction } from '../r2-params.ts';
import { unlessGone } from '../unless-gone.ts';
import { r2BucketDomainContract } from './contract.ts';
import type { R2BucketDomainConfig, R2BucketDomainKey } from './contract.ts';
import { toKnown } from './domain-state.ts';
import type { DomainState, KnownDomain } from './domain-state.ts';

type Desired = { readonly domain: string } & Pick<R2BucketDomainConfig, 'zoneId' | 'minTls' | 'enabled'>;
type Observed = DomainState & {
  readonly domain: string;
  readonly enabled: boolean;
  readonly zoneId?: string;
  readonly minTLS?: string;
};

export const r2BucketDomainTarget = defineTarget<R2BucketDomainKey, R2BucketDomainConfig, Desired, Observed>({
  contract: r2BucketDomainContract,
  aggregate: (sources, { domain }) => {
    const { winner, losers } = firstWins(sources, `domain ${domain}`);
    const { adopt: _adopt, ...config } = winner.config;
    return { ok: true, desired: { domain, ...config }, losers };
  },
  scope: ({ accountId, jurisdiction, bucket }) => `${accountId}/${jurisdiction}/${bucket}`,
  observe: {
    lookup: async ({ key }, { api, signal }) => {
      const found = await unlessGone(api.r2.buckets.domains.custom.get(key.domain, paramsOf(key), { signal }));
      return found ? [found] : [];
    },
  },
  idOf: ({ domain }) => domain,
  relation: ({ domain }, observed) => (observed.domain === domain ? 'same' : 'none'),
  difference: (wanted, { enabled, minTLS, zoneId }) => [
    ...(enabled === wanted.enabled ? [] : ['enabled']),
    // What is not shown is not known: an answer of a backend in trouble leaves it out.
    ...(minTLS === undefined || minTLS === wanted.minTls ? [] : ['minTLS']),
    ...(zoneId === undefined || wanted.zoneId === undefined || zoneId === wanted.zoneId ? [] : ['zoneId']),
  ],
  memory: {
    after: ({ enabled }, observed, remembered, now) =>
      toKnown(observed, remembered as KnownDomain | undefined, enabled ? now : undefined),
  },
  lookAgainAt: (_observed, _desired, { now, remembered }) => nextLookAt((remembered as KnownDomain).since, now),
  // Nothing about a domain says whose it is.
  create: { repeatable: 'intent', run: create },
  update: async ({ key, wanted, observed, fields }, call) => {
    if (fields.includes('zoneId')) {
      await remove(observed, key, call);
      return create(wanted, key, call);
    }
    const { enabled, minTls } = wanted;
    const body = { ...paramsOf(key), enabled, minTLS: minTls as '1.2' };
    await call.api.r2.buckets.domains.custom.update(key.domain, body, { signal: call.signal });
    return { ...observed, enabled, minTLS: minTls };
  },
  giveUp: () => 'delete',
  remove,
  outputs: ({ enabled, minTLS, zoneId }, wanted, _secrets, remembered) => {
    const { ownership, ssl, zoneId: known } = remembered as KnownDomain;
    const zone = zoneId ?? known ?? '';
    return { data: { zoneId: zone, enabled: String(enabled), minTls: minTLS ?? wanted.minTls, ownership, ssl } };
  },
});

function paramsOf(key: R2BucketDomainKey): ReturnType<typeof atJurisdiction> & { readonly bucket_name: string } {
  return { ...atJurisdiction(key), bucket_name: key.bucket };
}

async function create(wanted: Desired, key: R2BucketDomainKey, call: Call): Promise<Observed> {
  const { domain, enabled, minTls } = wanted;
  const zoneId = wanted.zoneId ?? (await findZone(key, call));
  const body = { ...atJurisdiction(key), domain, enabled, zoneId, minTLS: minTls as '1.2' };
  const made = await call.api.r2.buckets.domains.custom.create(key.bucket, body, { signal: call.signal });
  return { ...made, zoneId };
}

/** The zone of the longest name that the host ends with. */
async function findZone({ accountId, domain }: R2BucketDomainKey, { api, signal }: Call): Promise<string> {
  const labels = domain.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const name = labels.slice(from).join('.');
    const [zone] = await listAll(api.zones.list({ name, account: { id: accountId } }, { signal }));
    if (zone) return zone.id;
  }
  throw new OperatorError('r2/zone-not-found', `no zone of this account holds ${domain}: name spec.zoneId`, {
    kind: 'after',
    ms: 5 * 60_000,
  });
}

async function remove({ domain }: Observed, key: R2BucketDomainKey, { api, signal }: Call): Promise<void> {
  await api.r2.buckets.domains.custom.delete(domain, paramsOf(key), { signal });
}

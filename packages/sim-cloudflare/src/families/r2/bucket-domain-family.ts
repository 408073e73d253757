import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { globalScope } from '../../store/table.ts';
import { zones } from '../zones/zone.ts';
import { bucketPath, findBucket, putBucket, r2Access } from './bucket-family.ts';
import { buckets } from './r2-tables.ts';
import type { CustomDomain } from './r2-tables.ts';

const all = `${bucketPath}/domains/custom`;
const one = `${all}/:domain`;
const managed = `${bucketPath}/domains/managed`;
const most = 50;
/** Ownership and certificate take a while. */
const activationMs = 30_000;

export const bucketDomainFamily: Family = {
  name: 'r2-domains',
  routes: [
    {
      method: 'GET',
      path: all,
      access: r2Access,
      run: (call) => ({ result: { domains: findBucket(call).domains.map((domain) => toView(domain, call)) } }),
    },
    { method: 'POST', path: all, access: r2Access, run: addDomain },
    { method: 'GET', path: one, access: r2Access, run: (call) => ({ result: toView(findDomain(call), call) }) },
    { method: 'PUT', path: one, access: r2Access, run: editDomain },
    { method: 'DELETE', path: one, access: r2Access, run: dropDomain },
    { method: 'GET', path: managed, access: r2Access, run: (call) => ({ result: toManaged(call) }) },
    { method: 'PUT', path: managed, access: r2Access, run: putManaged },
  ],
};

function findDomain(call: Call): CustomDomain {
  const domain = findBucket(call).domains.find((one) => one.domain === param(call, 'domain'));
  if (!domain) throw refusal(404, 10_053, 'The domain does not exist.');
  return domain;
}

function addDomain(call: Call): Reply {
  const fields = toFields(call.body);
  const name = (textOf(fields['domain']) ?? '').toLowerCase();
  const zone = call.state.get(zones, globalScope, textOf(fields['zoneId']) ?? '');
  if (!zone || (name !== zone.name && !name.endsWith(`.${zone.name}`))) {
    throw refusal(400, 10_054, `${name} is not in the zone that was named`);
  }
  const everywhere = [...call.state.rows(buckets, param(call, 'account')).values()].flatMap(({ domains }) => domains);
  if (everywhere.some(({ domain }) => domain === name)) throw refusal(409, 10_055, `${name} is in use`);
  const bucket = findBucket(call);
  if (bucket.domains.length >= most) throw refusal(400, 10_056, `a bucket has at most ${most} domains`);
  const domain: CustomDomain = {
    domain: name,
    enabled: fields['enabled'] === true,
    zoneId: zone.id,
    zoneName: zone.name,
    minTLS: textOf(fields['minTLS']) ?? '1.0',
    ciphers: Array.isArray(fields['ciphers']) ? fields['ciphers'].map(String) : undefined,
    activeAt: call.world.now() + activationMs,
  };
  putBucket(call, { ...bucket, domains: [...bucket.domains, domain] });
  return { result: toWritten(domain) };
}

function editDomain(call: Call): Reply {
  const old = findDomain(call);
  const fields = toFields(call.body);
  const next = {
    ...old,
    enabled: fields['enabled'] === undefined ? old.enabled : fields['enabled'] === true,
    minTLS: textOf(fields['minTLS']) ?? old.minTLS,
    ciphers: Array.isArray(fields['ciphers']) ? fields['ciphers'].map(String) : old.ciphers,
  };
  const bucket = findBucket(call);
  putBucket(call, {
    ...bucket,
    domains: bucket.domains.map((domain) => (domain.domain === old.domain ? next : domain)),
  });
  return { result: toWritten(next) };
}

function dropDomain(call: Call): Reply {
  const old = findDomain(call);
  const bucket = findBucket(call);
  putBucket(call, { ...bucket, domains: bucket.domains.filter(({ domain }) => domain !== old.domain) });
  return { result: { domain: old.domain } };
}

/** The answer to a write tells neither the state nor the name of the zone. */
function toWritten({ domain, enabled, zoneId, minTLS, ciphers }: CustomDomain): object {
  return { domain, enabled, zoneId, minTLS, ...(ciphers && { ciphers }) };
}

function toView({ domain, enabled, zoneId, zoneName, minTLS, ciphers, activeAt }: CustomDomain, call: Call): object {
  const state = call.world.now() >= activeAt ? 'active' : 'pending';
  return {
    domain,
    enabled,
    zoneId,
    zoneName,
    minTLS,
    ...(ciphers && { ciphers }),
    status: { ownership: state, ssl: state },
  };
}

function toManaged(call: Call): object {
  const { name, managedEnabled } = findBucket(call);
  return { bucketId: name, domain: `pub-${name}.r2.dev`, enabled: managedEnabled };
}

function putManaged(call: Call): Reply {
  putBucket(call, { ...findBucket(call), managedEnabled: toFields(call.body)['enabled'] === true });
  return { result: toManaged(call) };
}

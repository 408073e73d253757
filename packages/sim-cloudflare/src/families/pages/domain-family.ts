import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { toSinglePage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { globalScope } from '../../store/table.ts';
import { dnsRecords } from '../dns/record.ts';
import { zones } from '../zones/zone.ts';
import { pagesDomains, pagesProjects } from './pages-tables.ts';
import type { PagesDomain } from './pages-tables.ts';
import { findProject, pagesAccess, projectPath, scopeOf, subdomainOf } from './project-family.ts';

const all = `${projectPath}/domains`;
const one = `${all}/:domain`;
/** It takes a while until it is looked for, and until there is a certificate. */
const initialMs = 10_000;
const certificateMs = 30_000;

export const pagesDomainFamily: Family = {
  name: 'pages-domains',
  routes: [
    { method: 'GET', path: all, access: pagesAccess, run: list },
    { method: 'POST', path: all, access: pagesAccess, run: add },
    { method: 'GET', path: one, access: pagesAccess, run: (call) => ({ result: toView(find(call), call) }) },
    // Nothing can be changed: it asks that the domain be looked at again.
    { method: 'PATCH', path: one, access: pagesAccess, run: (call) => ({ result: toView(find(call), call) }) },
    { method: 'DELETE', path: one, access: pagesAccess, run: remove },
  ],
};

function find(call: Call): PagesDomain {
  findProject(call);
  const domain = call.state.get(pagesDomains, scopeOf(call), param(call, 'domain'));
  if (!domain) throw refusal(404, 8_000_021, 'The domain you have specified does not exist.');
  return domain;
}

function list(call: Call): Reply {
  findProject(call);
  return toSinglePage([...call.state.rows(pagesDomains, scopeOf(call)).values()].map((row) => toView(row, call)));
}

function add(call: Call): Reply {
  findProject(call);
  const name = (textOf(toFields(call.body)['name']) ?? '').toLowerCase();
  if (!/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(name)) throw refusal(400, 8_000_015, 'The domain name is invalid.');
  const account = param(call, 'account');
  const taken = [...call.state.rows(pagesProjects, account).keys()].some((project) =>
    call.state.get(pagesDomains, `${account}/${project}`, name),
  );
  if (taken) throw refusal(409, 8_000_018, 'You have already added this custom domain.');
  const zone = [...call.state.rows(zones, globalScope).values()].find(
    (each) => each.accountId === account && (name === each.name || name.endsWith(`.${each.name}`)),
  );
  const domain: PagesDomain = {
    id: call.world.ids.uuid(),
    name,
    createdOn: timestamp(call.world),
    createdMs: call.world.now(),
    zoneId: zone?.id ?? '',
  };
  call.state.put(pagesDomains, scopeOf(call), name, domain);
  return { result: toView(domain, call) };
}

function remove(call: Call): Reply {
  call.state.remove(pagesDomains, scopeOf(call), find(call).name);
  return { result: null };
}

/** Active is what DNS leads to the project. */
function statusOf({ name, createdMs, zoneId }: PagesDomain, call: Call): 'initializing' | 'pending' | 'active' {
  const ageMs = call.world.now() - createdMs;
  if (ageMs < initialMs) return 'initializing';
  const target = subdomainOf(findProject(call));
  const isLed = [...call.state.rows(dnsRecords, zoneId).values()].some(
    (record) => record.name === name && record.type === 'CNAME' && record.content === target,
  );
  return isLed && ageMs >= certificateMs ? 'active' : 'pending';
}

function toView(domain: PagesDomain, call: Call): object {
  const { id, name, createdOn, zoneId } = domain;
  const status = statusOf(domain, call);
  return {
    id,
    domain_id: id,
    name,
    status,
    certificate_authority: 'google',
    created_on: createdOn,
    zone_tag: zoneId,
    validation_data: { method: 'http', status: status === 'active' ? 'active' : 'pending' },
    verification_data: { status: status === 'active' ? 'active' : 'pending' },
  };
}

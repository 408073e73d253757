import { accountAccess, zoneAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { toCursorPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply, Route } from '../../api/route.ts';
import { globalScope } from '../../store/table.ts';
import { zones } from '../zones/zone.ts';
import { checkRule, isPhase, quotaOf } from './check-rule.ts';
import { rulesets, toRuleset } from './ruleset.ts';
import type { Rule, Ruleset } from './ruleset.ts';
import { placeRule, replaceRules, toRule } from './write-rules.ts';

const groups = [
  'Zone WAF',
  'Account WAF',
  'Account Rulesets',
  'Transform Rules',
  'Single Redirect',
  'Dynamic URL Redirects',
  'Cache Rules',
  'Config Rules',
  'Origin Rules',
  'Bulk URL Redirects',
  'Response Compression',
  'Custom Errors',
];

export const rulesetFamily: Family = {
  name: 'rulesets',
  routes: [
    ...routesOf('/accounts/:account', accountAccess(...groups)),
    ...routesOf('/zones/:zone', zoneAccess(...groups)),
  ],
};

function routesOf(base: string, access: Route['access']): readonly Route[] {
  const all = `${base}/rulesets`;
  const entry = `${all}/phases/:phase/entrypoint`;
  const one = `${all}/:ruleset`;
  return [
    { method: 'GET', path: all, access, run: listRulesets },
    { method: 'POST', path: all, access, run: createRuleset },
    { method: 'GET', path: entry, access, run: (call) => ({ result: toRuleset(findEntry(call)) }) },
    { method: 'PUT', path: entry, access, run: putEntry },
    { method: 'GET', path: one, access, run: (call) => ({ result: toRuleset(find(call)) }) },
    { method: 'PUT', path: one, access, run: (call) => changed(call, find(call), toFields(call.body)) },
    { method: 'DELETE', path: one, access, run: deleteRuleset },
    { method: 'POST', path: `${one}/rules`, access, run: addRule },
    { method: 'PATCH', path: `${one}/rules/:rule`, access, run: editRule },
    { method: 'DELETE', path: `${one}/rules/:rule`, access, run: dropRule },
  ];
}

function scopeOf(call: Call): string {
  return param(call, 'zone') || param(call, 'account');
}

function listRulesets(call: Call): Reply {
  const rows = [...call.state.rows(rulesets, scopeOf(call)).values()];
  const page = toCursorPage(call.query, rows, {
    defaultSize: 50,
    maxSize: 50,
    keyOf: ({ id }) => id,
    style: 'cursors',
  });
  return { ...page, result: page.result.map((row) => toRuleset(row as Ruleset, false)) };
}

function find(call: Call): Ruleset {
  const id = param(call, 'ruleset');
  const ruleset = call.state.get(rulesets, scopeOf(call), id);
  if (!ruleset) throw refusal(404, 10_003, `could not find ruleset ${id}`);
  return ruleset;
}

function entryOf(call: Call): Ruleset | undefined {
  const phase = param(call, 'phase');
  const rows = [...call.state.rows(rulesets, scopeOf(call)).values()];
  return rows.find((ruleset) => ruleset.phase === phase && ruleset.kind !== 'custom');
}

function findEntry(call: Call): Ruleset {
  const ruleset = entryOf(call);
  if (!ruleset) throw refusal(404, 10_003, `could not find entrypoint ruleset in the '${param(call, 'phase')}' phase`);
  return ruleset;
}

function newRuleset(call: Call, fields: Fields): Ruleset {
  const phase = textOf(fields['phase']) ?? '';
  if (!isPhase(phase)) throw refusal(400, 20_010, `unknown phase '${phase}'`);
  const kind = fields['kind'];
  const entry = param(call, 'zone') === '' ? 'root' : 'zone';
  return {
    id: call.world.ids.hex(32),
    name: textOf(fields['name']) ?? 'default',
    description: '',
    kind: kind === 'custom' ? 'custom' : entry,
    phase,
    version: 0,
    lastUpdated: timestamp(call.world),
    rules: [],
  };
}

function createRuleset(call: Call): Reply {
  const fields = toFields(call.body);
  const fresh = newRuleset(call, fields);
  const rows = [...call.state.rows(rulesets, scopeOf(call)).values()];
  const twin = rows.find(({ kind, phase }) => kind !== 'custom' && kind === fresh.kind && phase === fresh.phase);
  if (twin)
    throw refusal(
      409,
      20_217,
      `a similar configuration with rules already exists and overwriting will have unintended consequences`,
    );
  return changed(call, fresh, fields);
}

/** Makes the entry point when the phase has none. */
function putEntry(call: Call): Reply {
  const fields = toFields(call.body);
  const ruleset = entryOf(call) ?? newRuleset(call, { phase: param(call, 'phase'), name: fields['name'] });
  return changed(call, ruleset, fields);
}

function changed(call: Call, ruleset: Ruleset, fields: Fields): Reply {
  const given = Array.isArray(fields['rules']) ? (fields['rules'] as readonly unknown[]) : [];
  const checked = given.map((rule, index) => checkRule(rule, ruleset.phase, index));
  const rules = replaceRules(ruleset.rules, checked, call.world);
  return stored(call, { ...ruleset, description: textOf(fields['description']) ?? ruleset.description, rules });
}

/** Every write is a new version, and every answer is the whole ruleset. */
function stored(call: Call, ruleset: Ruleset): Reply {
  const scope = scopeOf(call);
  const zone = call.state.get(zones, globalScope, param(call, 'zone'));
  const quota = quotaOf(ruleset.phase, zone?.plan ?? 'enterprise');
  if (ruleset.rules.length > quota) {
    throw refusal(
      400,
      20_217,
      `exceeded maximum number of rules in the phase ${ruleset.phase}: ${ruleset.rules.length} > ${quota}`,
    );
  }
  const next = { ...ruleset, version: ruleset.version + 1, lastUpdated: timestamp(call.world) };
  call.state.put(rulesets, scope, next.id, next);
  return { result: toRuleset(next) };
}

function deleteRuleset(call: Call): Reply {
  const ruleset = find(call);
  call.state.remove(rulesets, scopeOf(call), ruleset.id);
  return { result: null, status: 204 };
}

function addRule(call: Call): Reply {
  const ruleset = find(call);
  const fields = checkRule(call.body, ruleset.phase, ruleset.rules.length);
  const rule = toRule(fields, undefined, call.world);
  if (ruleset.rules.some(({ ref }) => ref === rule.ref))
    throw refusal(400, 20_217, `the ref '${rule.ref}' is used by two rules`);
  return stored(call, { ...ruleset, rules: placeRule(ruleset.rules, rule, fields['position']) });
}

function ruleOf(call: Call, { rules }: Ruleset): Rule {
  const rule = rules.find(({ id }) => id === param(call, 'rule'));
  if (!rule) throw refusal(404, 10_003, `rule with ID '${param(call, 'rule')}' could not be found`);
  return rule;
}

/** The body is the whole new definition; one that holds nothing but a position only moves the rule. */
function editRule(call: Call): Reply {
  const ruleset = find(call);
  const old = ruleOf(call, ruleset);
  const { position, ...fields } = toFields(call.body);
  const moved = Object.keys(fields).length === 0;
  const rule = moved ? old : toRule(checkRule(fields, ruleset.phase, ruleset.rules.indexOf(old)), old, call.world);
  const replaced = ruleset.rules.map((one) => (one === old ? rule : one));
  return stored(call, { ...ruleset, rules: position === undefined ? replaced : placeRule(replaced, rule, position) });
}

function dropRule(call: Call): Reply {
  const ruleset = find(call);
  const rule = ruleOf(call, ruleset);
  return stored(call, { ...ruleset, rules: ruleset.rules.filter((one) => one !== rule) });
}

/**
 * What each error code means, by product. The same number means different things in different products, and a few
 * codes are used for two things: only those rows look at the text. A row may ask for certain HTTP statuses.
 * `classify` tries the rows of the product first, then those of all products; in each, the first that fits wins.
 */
import type { ErrorClass } from './error-class.ts';
import type { Family } from './family.ts';

export type ErrorRow = {
  readonly family: Family | 'any';
  /** Absent where the product gives no code at all. */
  readonly code?: number;
  readonly statuses?: readonly number[];
  readonly text?: RegExp;
  readonly class: ErrorClass;
};

type Conditions = Pick<ErrorRow, 'statuses' | 'text'>;

function row(family: ErrorRow['family'], code: number, errorClass: ErrorClass, conditions: Conditions = {}): ErrorRow {
  return { family, code, class: errorClass, ...conditions };
}

function codeless(family: Family, errorClass: ErrorClass, conditions: Conditions): ErrorRow {
  return { family, class: errorClass, ...conditions };
}

const anyProduct: readonly ErrorRow[] = [
  row('any', 971, 'rate-limited'),
  row('any', 10429, 'rate-limited'),
  row('any', 10000, 'rate-limited', { text: /rate.?limit/iu }),
  row('any', 10000, 'permission', { statuses: [403] }),
  row('any', 10000, 'auth'),
  row('any', 6003, 'auth'),
  row('any', 6111, 'auth'),
  row('any', 9109, 'auth', { text: /invalid access token/iu }),
  row('any', 9109, 'permission'),
  // One code for "method not allowed for this token" and for "internal error".
  row('any', 10001, 'transient', { statuses: [403], text: /internal/iu }),
  row('any', 10001, 'permission', { statuses: [403] }),
  row('any', 7003, 'validation'),
  row('any', 7000, 'validation'),
  row('any', 7001, 'validation'),
  row('any', 10405, 'validation'),
  row('any', 1013, 'already-exists', { statuses: [409] }),
  row('any', 1014, 'already-exists', { statuses: [409] }),
  row('any', 10004, 'already-exists', { statuses: [409] }),
  row('any', 11009, 'already-exists', { statuses: [409] }),
  row('any', 1000, 'transient', { text: /time.?out|internal/iu }),
];

const tokens: readonly ErrorRow[] = [row('tokens', 1000, 'auth'), row('tokens', 1001, 'auth')];

const tunnels: readonly ErrorRow[] = [
  row('tunnels', 1013, 'already-exists'),
  row('tunnels', 1002, 'not-found'),
  row('tunnels', 1003, 'not-found'),
  row('tunnels', 1022, 'in-use'),
  // No token, no configuration: the tunnel itself is there.
  row('tunnels', 1054, 'not-found'),
  row('tunnels', 1055, 'not-found'),
  row('tunnels', 1056, 'validation'),
];

const networks: readonly ErrorRow[] = [
  row('virtual-networks', 1014, 'already-exists'),
  row('virtual-networks', 1046, 'not-found'),
  row('routes', 1014, 'already-exists'),
  codeless('hostname-routes', 'already-exists', { statuses: [409] }),
];

const dns: readonly ErrorRow[] = [
  row('dns', 81053, 'conflict'),
  row('dns', 81054, 'conflict'),
  row('dns', 81056, 'conflict'),
  row('dns', 81057, 'already-exists'),
  row('dns', 81058, 'already-exists'),
  row('dns', 81044, 'not-found'),
  // "DNS Validation Error": the cause is in the chain and is looked at first.
  row('dns', 1004, 'validation'),
  row('dns', 9003, 'validation'),
  row('dns', 9004, 'validation'),
  row('dns', 9005, 'validation'),
  row('dns', 9021, 'validation'),
  row('dns', 9041, 'validation'),
  row('dns', 9227, 'entitlement'),
  row('dns', 9300, 'quota'),
  // The zone has as many records as its plan allows.
  row('dns', 81045, 'quota'),
  row('dns', 1003, 'entitlement'),
  // DNSSEC on a zone that is still pending.
  row('dns', 1017, 'not-ready'),
];

const zones: readonly ErrorRow[] = [
  row('zones', 1061, 'already-exists'),
  row('zones', 1099, 'validation'),
  row('zones', 1116, 'validation'),
  row('zones', 1002, 'validation'),
  row('zones', 1052, 'validation'),
  row('zone-settings', 1023, 'entitlement'),
];

const access: readonly ErrorRow[] = [
  // No such application: said with 400 as well as with 404.
  row('access', 11021, 'not-found'),
  row('access', 12130, 'validation'),
  row('access', 12132, 'transient'),
  row('access', 12133, 'entitlement'),
  row('access', 12135, 'not-found'),
  row('access', 12152, 'not-found'),
  row('access', 12109, 'not-found'),
  codeless('access', 'conflict', { text: /access\.api\.error\.conflict/u }),
  codeless('access', 'not-ready', { text: /access\.api\.error\.not_enabled/u }),
  // Applications say it in words only, with 400 as well as 404.
  codeless('access', 'not-found', { statuses: [400, 404], text: /not.?found/iu }),
];

const zeroTrust: readonly ErrorRow[] = [
  row('gateway', 2087, 'validation'),
  row('gateway', 2055, 'entitlement'),
  row('gateway', 2211, 'not-ready'),
  row('gateway', 2218, 'not-found'),
  row('devices', 2052, 'not-found'),
  row('devices', 2053, 'not-found'),
  row('devices', 6024, 'not-found'),
];

const r2: readonly ErrorRow[] = [
  row('r2', 10004, 'already-exists'),
  row('r2', 10005, 'validation'),
  row('r2', 10006, 'not-found'),
  row('r2', 10053, 'not-found'),
  row('r2', 10059, 'not-found'),
  row('r2', 10063, 'validation'),
  row('r2', 10085, 'not-found'),
  row('r2', 11000, 'not-found'),
  row('r2', 11011, 'not-found'),
  row('r2', 11015, 'not-found'),
  row('r2', 11014, 'validation'),
  row('r2', 11019, 'validation'),
  // The rules of a notification overlap with one that is there.
  row('r2', 11020, 'conflict'),
];

const rules: readonly ErrorRow[] = [
  row('rulesets', 10003, 'not-found'),
  row('rulesets', 10001, 'not-found', { statuses: [400, 404] }),
  row('rulesets', 20127, 'validation'),
  row('rulesets', 50002, 'entitlement'),
  codeless('rulesets', 'entitlement', { text: /not entitled/iu }),
  row('lists', 10021, 'already-exists'),
  row('lists', 10001, 'not-found', { statuses: [400, 404] }),
];

const rest: readonly ErrorRow[] = [
  row('origin-ca', 1010, 'not-ready'),
  row('origin-ca', 1101, 'not-found'),
  // Already revoked, which is what deletion means here.
  row('origin-ca', 1014, 'not-found'),
  row('origin-ca', 1000, 'transient'),
  row('queues', 11009, 'already-exists'),
  row('queues', 11003, 'validation'),
  row('queues', 11004, 'already-exists'),
  row('queues', 11000, 'not-found'),
  row('queues', 11017, 'in-use'),
  row('queues', 11001, 'validation'),
  row('queues', 10007, 'not-ready'),
  row('pages', 8000007, 'not-found'),
  row('pages', 8000002, 'already-exists'),
  row('pages', 8000021, 'not-found'),
  row('pages', 8000018, 'already-exists'),
  row('pages', 8000009, 'not-found'),
  row('pages', 8000034, 'in-use'),
  row('pages', 8000035, 'in-use'),
  // The token for uploads has run out; the next try fetches another.
  row('pages', 8000013, 'transient'),
];

export const errorTable: readonly ErrorRow[] = [
  ...tokens,
  ...tunnels,
  ...networks,
  ...dns,
  ...zones,
  ...access,
  ...zeroTrust,
  ...r2,
  ...rules,
  ...rest,
  ...anyProduct,
];

import type { SimCloudflare } from '@tributary/sim-cloudflare';
import type { WorldOptions } from '../world.ts';
import type { Fields } from './edit-spec.ts';
import type { KnownValues } from './values.ts';

/** What the campaign has to know of a kind beside its schema. */
export type Fixture = {
  /** Objects that it refers to, as YAML. */
  readonly needs?: string;
  /**
   * What is at Cloudflare beforehand: a call below the account each, a POST when nothing else is said. `$made:0` is the id
   * of what the first one made.
   */
  readonly remote?: readonly (readonly [path: string, body: object, method?: 'PATCH'])[];
  /** Declarations to start from; what cannot be set beside the first may be beside another. */
  readonly bases: readonly Fields[];
  /** What was made from one base cannot become what another says. */
  readonly apart?: boolean;
  readonly values?: KnownValues;
  /**
   * What was set stays as it is when the object does not speak of it any more: settings that Cloudflare always has. Such a
   * removal has nothing to be compared with. True: all of them are such.
   */
  readonly keeps?: boolean | readonly string[];
  /** Where files lie that the objects speak of. */
  readonly download?: WorldOptions['download'];
  /** Tables at Cloudflare and fields of a status that tell of what has been: two ways to the same end differ in them. */
  readonly past?: readonly string[];
  /** Properties that count when the object is made and never again: tried in fresh installations alone. */
  readonly once?: readonly string[];
  /** What is refused as a whole: the reason that is given names this, and not each property within. */
  readonly refused?: readonly string[];
  /** Properties that are not tried, each with the reason. They count as not exercised. */
  readonly leave?: Readonly<Record<string, string>>;
};

/** Ids of the simulated account and its zones, wherever a fixture names them: `$account`, `$zone:example.com`, `$made:0`. */
export function filledIn<T>(
  value: T,
  sim: Pick<SimCloudflare, 'accountId' | 'zones' | 'token'>,
  made: readonly string[] = [],
): T {
  const text = JSON.stringify(value)
    .replaceAll(/\$made:(\d+)/g, (whole, number: string) => made[Number(number)] ?? whole)
    .replaceAll('$account', sim.accountId)
    .replaceAll('$token', sim.token)
    .replaceAll(
      /\$zone:([a-z.]+)/g,
      (whole, name: string) => sim.zones.find((zone) => zone.name === name)?.id ?? whole,
    );
  return JSON.parse(text) as T;
}

/** Values that all kinds share. */
export const commonValues: KnownValues = {
  '*credentialsRef.name': ['main', 'second'],
  '*cloudflare.domain': ['example.com', 'example.net'],
  '*cloudflare.zoneId': ['$zone:example.com', '$zone:example.net'],
  '*cloudflare.accountId': ['$account', '$account'],
  '*cloudflare.secret': ['token-a', 'token-b'],
  '*cloudflare.email': ['a@example.com', 'b@example.com'],
  '*cloudflare.CLOUDFLARE_API_KEY': ['CLOUDFLARE_API_KEY', 'OTHER_API_KEY'],
  '*cloudflare.CLOUDFLARE_API_TOKEN': ['CLOUDFLARE_API_TOKEN', 'OTHER_API_TOKEN'],
};

const token = 'stringData: { CLOUDFLARE_API_TOKEN: $token, OTHER_API_TOKEN: $token }';
const group = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';

/** Credentials that any kind may name. */
export const commonNeeds = ['default', 'cloudflare-operator-system']
  .flatMap((namespace) =>
    ['token-a', 'token-b'].map(
      (name) => `{ apiVersion: v1, kind: Secret, metadata: { name: ${name}, namespace: ${namespace} }, ${token} }`,
    ),
  )
  .concat(
    `{ ${group}, kind: CloudflareCredentials, metadata: { name: second }, spec: { accountId: $account, secretRef: { name: token-a } } }`,
  )
  .join('\n---\n');

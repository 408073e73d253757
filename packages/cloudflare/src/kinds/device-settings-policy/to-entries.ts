import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { canonicalNetwork, hostNetwork } from '../../refs/canonical-network.ts';
import { routedNetworks } from '../../refs/network-routes.ts';
import { longestDescription } from '../../targets/device-settings-policy/contract.ts';
import type { DeviceSettingsPolicyConfig, SplitMode } from '../../targets/device-settings-policy/contract.ts';
import type { DeviceSettingsPolicy } from './resource.ts';

type Spec = DeviceSettingsPolicy['spec'];
type SplitEntries = NonNullable<DeviceSettingsPolicyConfig['exclude']>;

export type Entries = { readonly config: DeviceSettingsPolicyConfig; readonly routes: number };

const lists = [
  ['exclude', 'splitTunnelExclude'],
  ['include', 'splitTunnelInclude'],
] as const;

/** What an object puts into the lists of a profile; or the field that cannot be put there. */
export function toEntries({ metadata, spec }: DeviceSettingsPolicy, refs: Refs): Resolution<Entries> {
  const name = metadata.name ?? '';
  const wrong = [...lists.flatMap(([, field]) => splitProblems(name, spec, field)), ...fallbackProblems(name, spec)];
  if (wrong[0]) return { ok: false, state: 'broken', reason: 'InvalidConfig', message: wrong[0] };
  const mode = modeOf(spec);
  const routes = routeEntries(name, spec, refs);
  const split = Object.fromEntries(
    lists.map(([list, field]) => [list, [...toSplit(spec[field]), ...(mode === list ? routes : [])]]),
  ) as Record<SplitMode, SplitEntries>;
  const fallback = (spec.fallbackDomains ?? []).map(({ suffix, description, dnsServer }) => ({
    suffix,
    ...(description && { description }),
    ...(dnsServer && dnsServer.length > 0 && { dns_server: dnsServer }),
  }));
  // Without entries nobody's mode is worth a switch: an empty list to include would cut everybody off.
  const config = { ...(split[mode].length > 0 && { mode }), ...split, fallback };
  return { ok: true, value: { config, routes: routes.length } };
}

/** The mode whose list has something in it; where both have, or none, that of the object. */
export function modeOf({ splitTunnelMode, splitTunnelExclude, splitTunnelInclude }: Spec): SplitMode {
  const onlyIncludes = (splitTunnelInclude?.length ?? 0) > 0 && (splitTunnelExclude?.length ?? 0) === 0;
  return onlyIncludes ? 'include' : splitTunnelMode;
}

function toSplit(entries: Spec['splitTunnelExclude'] = []): SplitEntries {
  return entries.map(({ address, host, description }) => ({
    ...(address !== undefined && { address: networkOf(address) ?? address }),
    ...(host !== undefined && { host }),
    ...(description && { description }),
  }));
}

/** A single address is the network that holds it alone. */
function networkOf(address: string): string | undefined {
  return address.includes('/') ? canonicalNetwork(address) : hostNetwork(address);
}

function routeEntries(name: string, { autoPopulateFromRoutes: wish }: Spec, refs: Refs): SplitEntries {
  if (!wish?.enabled) return [];
  return routedNetworks(refs, wish.labelSelector ?? {}).map(({ name: route, network }) => {
    // The text is ours, not the user's: what does not fit is said shorter.
    const description = [`${wish.descriptionPrefix}${route}`, route].find((each) => overBy(name, each) === 0);
    return { address: network, ...(description && { description }) };
  });
}

function splitProblems(
  name: string,
  spec: Spec,
  field: 'splitTunnelExclude' | 'splitTunnelInclude',
): readonly string[] {
  return (spec[field] ?? []).flatMap(({ address, description }, index) => {
    const at = `spec.${field}[${index}]`;
    const isNetwork = address === undefined || networkOf(address) !== undefined;
    return [...(isNetwork ? [] : [`${at}.address: ${address} is no network`]), ...tooLong(name, at, description)];
  });
}

function fallbackProblems(name: string, { fallbackDomains = [] }: Spec): readonly string[] {
  return fallbackDomains.flatMap(({ description }, index) =>
    tooLong(name, `spec.fallbackDomains[${index}]`, description),
  );
}

function tooLong(name: string, at: string, description = ''): readonly string[] {
  const over = overBy(name, description);
  if (over === 0) return [];
  return [`${at}.description is ${over} characters too long: with our mark it must fit into ${longestDescription}`];
}

function overBy(name: string, description: string): number {
  const marked = withMark(description, { kind: 'DeviceSettingsPolicy', name }, longestDescription);
  return marked.ok ? 0 : marked.overBy;
}

import { rankOfPath } from './ingress-path.ts';

/** One ingress rule of a tunnel. Unknown keys of foreign rules are kept as they are. */
export type TunnelRule = {
  readonly hostname?: string | undefined;
  readonly path?: string | undefined;
  readonly service: string;
  readonly originRequest?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The order in which cloudflared must read rules: it takes the first that matches. Exact hosts stand before wildcards,
 * deeper wildcards before shallower ones, longer paths before shorter ones. The order is total, so it does not
 * depend on who came first.
 */
export function orderRules<R extends TunnelRule>(rules: readonly R[]): readonly R[] {
  return rules.toSorted(compareRules);
}

export function compareRules(a: TunnelRule, b: TunnelRule): number {
  return (
    compareHosts(hostOf(a), hostOf(b)) ||
    comparePaths(a.path, b.path) ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  );
}

/** A rule without host and path catches everything; only the last one may. */
export function isCatchAll(rule: TunnelRule): boolean {
  return hostOf(rule) === '' && (rule.path ?? '') === '';
}

function hostOf({ hostname }: TunnelRule): string {
  return hostname === undefined || hostname === '*' ? '' : hostname.toLowerCase();
}

function compareHosts(a: string, b: string): number {
  if (a === b) return 0;
  return hostClass(a) - hostClass(b) || labels(b) - labels(a) || compareText(a, b);
}

function hostClass(host: string): 0 | 1 | 2 {
  if (host === '') return 2;
  return host.startsWith('*.') ? 1 : 0;
}

/** Only wildcards can shadow each other, but sorting exact hosts by depth too keeps neighbours together. */
function labels(host: string): number {
  return host.startsWith('*.') ? host.split('.').length : 0;
}

function comparePaths(a: string | undefined, b: string | undefined): number {
  const [left, right] = [rankOfPath(a), rankOfPath(b)];
  return right.literal - left.literal || left.form - right.form || compareText(a ?? '', b ?? '');
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

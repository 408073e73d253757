import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '@tributary/runtime';
import type { TunnelRule } from './order-rules.ts';

/** An object as the API stores it, known keys and unknown ones. */
export type Fields = Readonly<Record<string, unknown>>;

/** What the API holds for a tunnel. */
export type RemoteConfig = Fields & {
  readonly ingress?: readonly TunnelRule[] | null;
  readonly originRequest?: Fields | null;
  readonly 'warp-routing'?: Fields | null;
};

/** What is wanted of a tunnel. `foreign` and `kept` come in when the wish meets what is there. */
export type WantedConfig = {
  /** In the order in which cloudflared reads them; the catch-all is the last. */
  readonly ingress: readonly TunnelRule[];
  readonly warpRouting?: { readonly enabled: boolean };
  readonly originRequest?: Fields;
  /** The rules among `ingress` that somebody else made, byte for byte. */
  readonly foreign?: readonly TunnelRule[];
  /** Settings that somebody else made. */
  readonly kept?: RemoteConfig;
};

/** What we wrote, as `status.recorded` keeps it: lists, so that old and new can be united before a write. */
export type RecordedConfig = {
  readonly rules: readonly TunnelRule[];
  /** What we found beside ours; absent where nobody looked. */
  readonly foreign?: readonly TunnelRule[];
  /** The names of settings that are ours. */
  readonly settings: readonly string[];
};

/** The configuration to send. */
export function toRemote({ ingress, warpRouting, originRequest, kept }: WantedConfig): RemoteConfig {
  const { originRequest: keptOptions, 'warp-routing': keptRouting, ...rest } = kept ?? {};
  const options = { ...keptOptions, ...originRequest };
  const routing = { ...keptRouting, ...warpRouting };
  return {
    ...rest,
    ingress,
    ...(!isEmpty(options) && { originRequest: options }),
    ...(!isEmpty(routing) && { 'warp-routing': routing }),
  };
}

/** The fields in which two configurations differ, after what the API adds and the dashboard writes. */
export function differingFields(wanted: RemoteConfig, found: RemoteConfig): readonly string[] {
  const [left, right] = [comparable(wanted), comparable(found)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter((name) => !isDeepStrictEqual(left[name], right[name]));
}

export function isSameRule(a: TunnelRule, b: TunnelRule): boolean {
  return textOf(a) === textOf(b);
}

/** Equal rules have equal texts, however they were read back. */
export function textOf(rule: TunnelRule): string {
  return canonicalJson(comparableRule(rule));
}

/** Rules of one place shadow each other: cloudflared never comes to the second. */
export function placeOf({ hostname, path }: TunnelRule): string {
  return JSON.stringify([hostname === '*' ? '' : (hostname ?? '').toLowerCase(), path ?? '']);
}

function comparable({ ingress, originRequest, 'warp-routing': routing, ...rest }: RemoteConfig): Fields {
  return {
    ...withoutNulls(rest),
    ingress: (ingress ?? []).map(comparableRule),
    originRequest: withoutNulls(originRequest ?? {}),
    'warp-routing': { enabled: false, ...withoutNulls(routing ?? {}) },
  };
}

/** The server adds empty options, the dashboard an `id`; an empty text is as good as none. */
function comparableRule({ hostname, path, originRequest, ...others }: TunnelRule): Fields {
  const options = withoutNulls(originRequest ?? {});
  return {
    ...withoutNulls({ ...others, id: undefined }),
    ...(hostname && { hostname }),
    ...(path && { path }),
    ...(!isEmpty(options) && { originRequest: options }),
  };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

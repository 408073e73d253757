import { canonicalJson } from '@tributary/runtime';
import { withMark } from '../../engine/l4-state/ownership-mark.ts';
import type { Source, SourceRef } from '../../engine/l4-state/source.ts';
import type { Aggregate } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { canonicalHost } from '../../refs/canonical-host.ts';
import type { DnsRecordConfig, DnsRecordKey } from './contract.ts';
import { hasData, parseRecordText, toRecordData } from './record-data.ts';
import type { RecordData } from './record-data.ts';

/** A record as it is sent. Fields that are absent are not ours to set. */
export type DesiredRecord = {
  readonly name: string;
  readonly type: string;
  readonly content?: string;
  readonly data?: RecordData;
  readonly priority?: number;
  readonly ttl: number;
  readonly proxied?: boolean;
  readonly comment: string;
  readonly tags?: readonly string[];
  readonly owner: SourceRef;
  /** An unmarked record of this name and type may be taken over whatever it says. */
  readonly adopt?: true;
};

const proxiable: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

export function aggregateRecord(
  sources: readonly Source<DnsRecordConfig>[],
  key: DnsRecordKey,
): Aggregate<DesiredRecord> {
  const { winner, losers } = firstWins(sources, `record ${key.record || key.owner}`);
  const { ref, config } = winner;
  const met = new Set(sources.filter((source) => asksForTheSame(source.config, config)).map((source) => source.ref));
  const value = toRecordValue(config);
  if (!value.ok) return { ok: false, message: value.message, ref };
  const comment = toComment(config, ref);
  if (!comment.ok) return { ok: false, message: comment.message, ref };
  const { name, type, ttl = 1, proxied = false, tags } = config;
  const desired: DesiredRecord = {
    name: canonicalHost(name),
    type,
    ...value.value,
    ttl,
    ...(proxiable.has(type) && { proxied }),
    comment: comment.text,
    ...(tags && { tags }),
    owner: ref,
    ...(sources.some(({ config: { adopt, respectRegistry } }) => adopt && !respectRegistry) && { adopt: true }),
  };
  return { ok: true, desired, losers: losers.filter((loser) => !met.has(loser.ref)) };
}

/** Whoever wants nothing else has lost nothing: the leave to adopt says how to come to a record, not what it should be. */
function asksForTheSame(one: DnsRecordConfig, other: DnsRecordConfig): boolean {
  return wantedOf(one) === wantedOf(other);
}

function wantedOf({ adopt: _adopt, respectRegistry: _respectRegistry, ...wanted }: DnsRecordConfig): string {
  return canonicalJson(wanted);
}

type Value = Pick<DesiredRecord, 'content' | 'data' | 'priority'>;
type ValueResult = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

function toRecordValue({ type, content = '', data, priority }: DnsRecordConfig): ValueResult {
  if (hasData(type)) {
    const parsed = data ? toRecordData(type, data, priority) : parseRecordText(type, content, priority);
    if (!parsed.ok) return parsed;
    // The API wants the priority of a URI beside its parts, and not among them.
    const beside = type === 'URI' ? { priority: priority ?? Number(data?.['priority'] ?? 0) } : {};
    return { ok: true, value: { data: parsed.data, ...beside } };
  }
  if (type !== 'MX') return { ok: true, value: { content: content || String(data?.['content'] ?? '') } };
  const [, inText, host] = /^(\d+)\s+(\S+)$/.exec(content.trim()) ?? [];
  const known = priority ?? (inText === undefined ? undefined : Number(inText));
  if (known === undefined) return { ok: false, message: 'spec.priority: must be given for an MX record' };
  return { ok: true, value: { content: host ?? content, priority: known } };
}

type CommentResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

const longest = { free: 100, paid: 500 } as const;

/** What fits on every plan is kept to that, where the plan is not known; the API has the last word on the rest. */
function toComment({ comment = '', plan }: DnsRecordConfig, owner: SourceRef): CommentResult {
  const limits = plan === undefined ? [longest.free, longest.paid] : [plan === 'free' ? longest.free : longest.paid];
  let message = '';
  for (const limit of limits) {
    const marked = withMark(comment, owner, limit);
    if (marked.ok) return marked;
    message = `spec.comment is ${marked.overBy} characters too long: with our mark it must fit into ${limit}`;
  }
  return { ok: false, message };
}

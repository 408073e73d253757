import type { Fields } from '../../api/fields.ts';
import type { DnsRecord } from './record.ts';

/** The zone as a file for BIND; what only Cloudflare knows stands in comments. */
export function toBindFile(zoneName: string, records: readonly DnsRecord[]): string {
  const lines = records.map((record) => {
    const flags = record.proxiable ? ` ; cf_tags=cf-proxied:${record.proxied}` : '';
    return `${record.name}.\t${record.ttl}\tIN\t${record.type}\t${bindContent(record)}${flags}`;
  });
  return [`;; Domain:     ${zoneName}.`, '$ORIGIN .', ...lines, ''].join('\n');
}

const hostTypes: ReadonlySet<string> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SRV']);

function bindContent({ type, content, priority }: DnsRecord): string {
  const ranked = priority === undefined ? content : `${priority} ${content}`;
  return hostTypes.has(type) && !ranked.endsWith('.') ? `${ranked}.` : ranked;
}

/** The records of a file, one per line; directives and comments are passed over. */
export function fromBindFile(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    const [plain, remark] = cutRemark(line);
    const found = /^(\S+)\s+(?:(\d+)\s+)?(?:IN\s+)?([A-Z]+)\s+(.+?)\s*$/.exec(plain);
    if (!found || plain.startsWith('$')) return [];
    const [, name = '', ttl, type = '', content = ''] = found;
    const base = { name, type, ttl: Number(ttl ?? 1), proxied: remark.includes('cf-proxied:true') };
    return [{ ...base, ...toBody(type, content) }];
  });
}

/** A semicolon inside quotes is text. */
function cutRemark(line: string): readonly [string, string] {
  const found = /^((?:[^";]|"(?:[^"\\]|\\.)*")*);(.*)$/.exec(line);
  return found ? [found[1] ?? '', found[2] ?? ''] : [line, ''];
}

function toBody(type: string, content: string): Fields {
  const parts = content.split(/\s+/);
  if (type === 'MX') return { priority: Number(parts[0]), content: parts[1] };
  if (type === 'SRV') {
    const [priority, weight, port, target] = parts;
    return { data: { priority, weight, port, target } };
  }
  if (type !== 'CAA') return { content };
  const [flags, tag, ...value] = parts;
  return { data: { flags, tag, value: value.join(' ').replaceAll('"', '') } };
}

import { canonicalIpv6 } from '../../refs/canonical-network.ts';
import { canonicalHost } from '../../refs/canonical-host.ts';
import { canonicalData, hasData, parseRecordText } from './record-data.ts';

export type RecordValue = {
  readonly type: string;
  readonly content?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly priority?: number | null | undefined;
};

/** What a record says, in one way of writing: equal for what was sent and for what is read back of it. */
export function canonicalContent({ type, content = '', data, priority }: RecordValue): string {
  if (hasData(type)) return canonicalData(type, data ?? partsOf(type, content, priority ?? undefined));
  switch (type) {
    case 'AAAA':
      return canonicalIpv6(content.trim()) ?? content;
    case 'CNAME':
    case 'MX':
    case 'NS':
    case 'PTR':
      return canonicalHost(content);
    case 'TXT':
      return textOf(content);
    default:
      return content.trim();
  }
}

function partsOf(type: string, content: string, priority: number | undefined): Readonly<Record<string, unknown>> {
  const parsed = parseRecordText(type, content, priority);
  return parsed.ok ? parsed.data : { content };
}

const quoted = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s;

/** The text itself: of `"a" "b"` it is `ab`, and text without quotes is as it is. */
function textOf(content: string): string {
  const trimmed = content.trim();
  if (!quoted.test(trimmed)) return trimmed;
  const strings = [...trimmed.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, inside = '']) => inside);
  return strings.join('').replaceAll(/\\(["\\])/g, '$1');
}

import { isFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { toIpv4, toIpv6 } from './address.ts';
import { invalidRecord } from './dns-refusal.ts';
import { isName, normaliseHost } from './normalise-name.ts';
import { normaliseText } from './normalise-text.ts';
import { hasData, normaliseData } from './record-data.ts';

export type RecordContent = { readonly content: string; readonly data?: Fields; readonly priority?: number };

/** The content of one record with its priority, as it is read back. */
export function toContent(type: string, input: Fields): RecordContent {
  if (hasData(type)) return fromData(type, input);
  const content = input['content'];
  if (typeof content !== 'string' || content.trim() === '') {
    throw invalidRecord(type === 'A' ? 9005 : 9101, `Content for ${type} record is invalid: it must not be empty.`);
  }
  if (Buffer.byteLength(content) > 4096)
    throw invalidRecord(9011, `Content for ${type} record is longer than 4096 bytes.`);
  const simple = simpleContent(type, content.trim());
  return type === 'MX' ? { content: simple, priority: priorityOf(input['priority']) } : { content: simple };
}

function fromData(type: string, input: Fields): RecordContent {
  if (!isFields(input['data'])) throw invalidRecord(9101, 'data is a required field.');
  const { data, content } = normaliseData(type, input['data']);
  if (type === 'SRV') return { content, data, priority: data['priority'] as number };
  return type === 'URI' ? { content, data, priority: priorityOf(input['priority']) } : { content, data };
}

function priorityOf(value: unknown): number {
  if (value === undefined || value === null) throw invalidRecord(9101, 'priority is a required field.');
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw invalidRecord(9102, 'priority must be between 0 and 65535.');
}

function simpleContent(type: string, content: string): string {
  switch (type) {
    case 'A':
      return valid(toIpv4(content), 9005, 'Content for A record must be a valid IPv4 address.');
    case 'AAAA':
      return valid(toIpv6(content), 9006, 'Content for AAAA record must be a valid IPv6 address.');
    case 'CNAME':
      return valid(toHost(content), 9007, 'Content for CNAME record is invalid.');
    case 'MX':
      return valid(content === '.' ? content : toHost(content), 9009, 'Content for MX record must be a hostname.');
    case 'NS':
      return valid(toHost(content), 9009, 'Content for NS record must be a hostname.');
    case 'PTR':
      return valid(toHost(content), 9009, 'Content for PTR record must be a hostname.');
    case 'TXT':
      return normaliseText(content);
    case 'OPENPGPKEY':
      return content;
    default:
      throw invalidRecord(9020, `DNS record type "${type}" is invalid.`);
  }
}

/** A name that is an address is no name. */
function toHost(content: string): string | undefined {
  const host = normaliseHost(content);
  return isName(host) && toIpv4(host) === undefined ? host : undefined;
}

function valid(content: string | undefined, code: number, message: string): string {
  if (content === undefined) throw invalidRecord(code, message);
  return content;
}

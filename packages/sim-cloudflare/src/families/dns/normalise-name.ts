import { domainToASCII } from 'node:url';
import { invalidRecord } from './dns-refusal.ts';

/** The full name in lower case and punycode without a trailing dot; what does not end in the zone is put below it. */
export function normaliseName(name: string, zoneName: string): string {
  const trimmed = toAscii(name.trim().replace(/\.$/, ''));
  if (trimmed === '@' || trimmed === zoneName) return zoneName;
  const full = trimmed.endsWith(`.${zoneName}`) ? trimmed : `${trimmed}.${zoneName}`;
  if (!isName(full)) throw invalidRecord(9000, `DNS name is invalid: ${name}`);
  return full;
}

/** The name of a host that a record points to. */
export function normaliseHost(host: string): string {
  const trimmed = host.trim();
  return trimmed === '.' ? trimmed : toAscii(trimmed.replace(/\.$/, ''));
}

export function isName(name: string): boolean {
  if (name.length === 0 || name.length > 253) return false;
  return name.split('.').every((label, index) => isLabel(label, index === 0));
}

function isLabel(label: string, first: boolean): boolean {
  if (first && label === '*') return true;
  return /^[a-z0-9_/]([a-z0-9_/-]{0,61}[a-z0-9_/])?$/.test(label);
}

function toAscii(name: string): string {
  return name
    .split('.')
    .map((label) => (/^[\u0020-\u007e]*$/.test(label) ? label.toLowerCase() : domainToASCII(label)))
    .join('.');
}

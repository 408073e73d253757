import { hash } from 'node:crypto';
import { sourceId } from './source.ts';
import type { SourceRef } from './source.ts';

/**
 * The mark that says whose a Cloudflare object is, kept in its comment or description. We write
 * `text [managed-by:Kind/namespace/name]` and read every form that has ever been written.
 */
export type Mark =
  | { readonly kind: 'object'; readonly owner: SourceRef }
  /** The owner did not fit and is there by its hash. */
  | { readonly kind: 'hashed'; readonly ownerKind: string; readonly ownerHash: string }
  /** Ours for certain, but the form does not say whose. */
  | { readonly kind: 'operator' };

export type MarkedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly overBy: number };

/** The user's text with the mark behind it; never cut. Where it does not fit, says by how many characters. */
export function withMark(userText: string, owner: SourceRef, maxLength: number): MarkedText {
  const space = userText === '' ? '' : ' ';
  const whole = `${userText}${space}${toMark(owner)}`;
  if (lengthOf(whole) <= maxLength) return { ok: true, text: whole };
  const short = `${userText}${space}[managed-by:${owner.kind}/#${ownerHash(owner)}]`;
  if (lengthOf(short) <= maxLength) return { ok: true, text: short };
  return { ok: false, overBy: Math.min(lengthOf(whole), lengthOf(short)) - maxLength };
}

function toMark({ kind, namespace, name }: SourceRef): string {
  return `[managed-by:${kind}/${namespace ?? ''}/${name}]`;
}

function ownerHash(owner: SourceRef): string {
  return hash('sha256', sourceId(owner)).slice(0, 10);
}

/** In code points, as Cloudflare counts, not in UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

const bracketed = /\[managed(?:-by)?:([^\]]*)\]/;
const plainWithOwner = /^Managed by (?:cloudflare-operator )?(IngressAutomatic|Gateway):? ([^/\s]+)\/(\S+)$/;
const plain = /^Managed by cloudflare-operator$/;

/** The mark in a comment or description, if there is one. */
export function readMark(text: string | null | undefined): Mark | undefined {
  if (!text) return undefined;
  const owner = bracketed.exec(text)?.[1];
  if (owner !== undefined) return readOwner(owner);
  const [, kind, namespace, name] = plainWithOwner.exec(text) ?? [];
  if (kind && name) {
    return { kind: 'object', owner: { kind: kind === 'IngressAutomatic' ? 'Ingress' : kind, namespace, name } };
  }
  return plain.test(text) ? { kind: 'operator' } : undefined;
}

function readOwner(text: string): Mark | undefined {
  const parts = text.split('/');
  const [kind, second, third] = parts;
  if (!kind || !second) return parts.length === 3 && kind && third ? objectMark(kind, undefined, third) : undefined;
  if (parts.length === 2) {
    if (second.startsWith('#')) return { kind: 'hashed', ownerKind: kind, ownerHash: second.slice(1) };
    return objectMark(kind, undefined, second);
  }
  return parts.length === 3 && third ? objectMark(kind, second, third) : undefined;
}

function objectMark(kind: string, namespace: string | undefined, name: string): Mark {
  return { kind: 'object', owner: namespace === undefined ? { kind, name } : { kind, namespace, name } };
}

/** Whether a mark names this owner. A mark without an owner names nobody else, so it counts as ours. */
export function isMarkOf(mark: Mark, owner: SourceRef): boolean {
  switch (mark.kind) {
    case 'object':
      return sourceId(mark.owner) === sourceId(owner);
    case 'hashed':
      return mark.ownerKind === owner.kind && mark.ownerHash === ownerHash(owner);
    case 'operator':
      return true;
    default:
      return mark satisfies never;
  }
}

/** The text without any mark: what the user wrote. */
export function withoutMark(text: string | null | undefined): string {
  if (!text || plain.test(text) || plainWithOwner.test(text)) return '';
  return text.replace(bracketed, '').replace(/^ | $/g, '');
}

import { describe, expect, test } from 'vitest';
import { OperatorError } from '../operator-error.ts';
import { controllerOf, isOwnedBy, ownerReferenceTo, withOwner } from './owner-reference.ts';

const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
const owner = { metadata: { name: 'd', namespace: 'ns', uid: 'u-1' } };
const second = { metadata: { name: 'e', namespace: 'ns', uid: 'u-2' } };
const child = { metadata: { name: 'c', namespace: 'ns' } };
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u-1' };

describe('an owner', () => {
  test('is referred to by kind, name and uid', () => {
    expect(ownerReferenceTo(kind, owner)).toEqual(reference);
    expect(ownerReferenceTo(kind, owner, { controller: true, blockOwnerDeletion: false })).toEqual({
      ...reference,
      controller: true,
      blockOwnerDeletion: false,
    });
    expect(() => ownerReferenceTo(kind, { metadata: { name: 'd' } })).toThrow('needs a name and a uid');
  });
  test('is added once, and the object stays the same where it is there', () => {
    const owned = withOwner(child, kind, owner);
    expect(owned.metadata).toMatchObject({ name: 'c', ownerReferences: [reference] });
    expect(withOwner(owned, kind, owner)).toBe(owned);
    expect(isOwnedBy(owned, owner)).toBe(true);
    expect(isOwnedBy(owned, second)).toBe(false);
    expect(isOwnedBy(owned, { metadata: {} })).toBe(false);
  });
  test('takes its place when its reference changes', () => {
    const both = withOwner(withOwner(child, kind, owner), kind, second);
    const next = withOwner(both, kind, owner, { controller: true });
    expect(next.metadata).toMatchObject({ ownerReferences: [{ uid: 'u-1', controller: true }, { uid: 'u-2' }] });
    expect(controllerOf(next)?.name).toBe('d');
    expect(controllerOf(both)).toBeUndefined();
  });
  test('cannot be a second controller', () => {
    const controlled = withOwner(child, kind, owner, { controller: true });
    const refuse = () => withOwner(controlled, kind, second, { controller: true });
    expect(refuse).toThrow(OperatorError);
    expect(refuse).toThrow('ns/c is controlled by Deployment d and cannot be by Deployment e');
    expect(withOwner(controlled, kind, owner, { controller: true })).toBe(controlled);
    expect(withOwner(controlled, kind, second).metadata).toMatchObject({ ownerReferences: [{}, { uid: 'u-2' }] });
  });
  test('cannot live in another namespace', () => {
    const elsewhere = { metadata: { name: 'c', namespace: 'other' } };
    expect(() => withOwner(elsewhere, kind, owner)).toThrow(
      'Deployment ns/d cannot own c, which is in namespace other',
    );
    expect(() => withOwner({ metadata: { generateName: 'c-' } }, kind, owner)).toThrow(
      'cannot own c-, which is cluster-wide',
    );
  });
  test('that is cluster-wide may own anything', () => {
    const wide = { metadata: { name: 'w', uid: 'u-3' } };
    expect(withOwner(child, { group: '', version: 'v1', kind: 'Node' }, wide).metadata).toMatchObject({
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'w', uid: 'u-3' }],
    });
  });
});

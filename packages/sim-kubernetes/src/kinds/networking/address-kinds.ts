import { checkSubdomain, pathSegmentName } from '../../registry/name-checks.ts';
import type { Draft } from '../../registry/json.ts';
import type { NameCheck } from '../../registry/resource-type.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import { formatIp, maskNetwork, parseCidr, parseIp } from '../../schema/ip-address.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { age } from '../cells/cell-text.ts';
import { at, child, maybeChild, text, texts } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkSame } from '../validation/field-checks.ts';

const inNetworking = { group: 'networking.k8s.io', version: 'v1' } as const;

/** Addresses that Services have, and the networks that they come from. */
export const addressKinds: readonly BuiltinKind[] = [
  {
    ...inNetworking,
    kind: 'IPAddress',
    cells: (object) => [object.metadata.name, parentText(at(object, 'spec.parentRef'))],
    strategy: {
      noGeneration: true,
      checkName: addressName,
      validate: (object) => validateParent(maybeChild(child(object, 'spec'), 'parentRef')),
      validateUpdate: (next, old) =>
        checkSame(child(next, 'spec')['parentRef'], child(old, 'spec')['parentRef'], 'spec.parentRef'),
    },
  },
  {
    ...inNetworking,
    kind: 'ServiceCIDR',
    cells: (object, nowMs) => [
      object.metadata.name,
      texts(child(object, 'spec'), 'cidrs').join(','),
      age(object, nowMs),
    ],
    strategy: {
      noGeneration: true,
      validate: (object) => validateNetworks(texts(child(object, 'spec'), 'cidrs')),
      validateUpdate: (next, old) =>
        validateKept(texts(child(next, 'spec'), 'cidrs'), texts(child(old, 'spec'), 'cidrs')),
    },
  },
];

function addressName(name: string): ReturnType<NameCheck> {
  const parsed = parseIp(name);
  if (parsed === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  return formatIp(parsed) === name ? [] : [`must be in canonical form (${JSON.stringify(formatIp(parsed))})`];
}

function parentText(parent: Draft): string {
  const group = text(parent, 'group');
  const place = [
    text(parent, 'resource') + (group === '' ? '' : `.${group}`),
    text(parent, 'namespace'),
    text(parent, 'name'),
  ];
  return place.filter((part) => part !== '').join('/');
}

const parentField = (key: string): string => `spec.parentRef.${key}`;

function validateParent(parent: Draft | undefined): Errors {
  if (parent === undefined) return [requiredField('spec.parentRef')];
  const segment = (key: string): Errors =>
    pathSegmentName(text(parent, key), false).map((fault) => invalidField(parentField(key), text(parent, key), fault));
  const group = text(parent, 'group');
  return [
    ...(group === '' ? [] : checkSubdomain(group).map((fault) => invalidField(parentField('group'), group, fault))),
    ...['resource', 'name'].flatMap((key) =>
      text(parent, key) === '' ? [requiredField(parentField(key))] : segment(key),
    ),
    ...(text(parent, 'namespace') === '' ? [] : segment('namespace')),
  ];
}

const networkFault = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

function validateNetworks(cidrs: readonly string[]): Errors {
  const path = 'spec.cidrs';
  if (cidrs.length === 0) return [requiredField(path, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalidField(path, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const parsed = cidrs.map((cidr) => parseCidr(cidr));
  const errors = cidrs.flatMap((cidr, index) =>
    networkFaults(cidr).map((fault) => invalidField(`${path}[${index}]`, cidr, fault)),
  );
  const [first, second] = parsed;
  if (first === undefined || second === undefined || first.address.version !== second.address.version) return errors;
  const fault = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [...errors, invalidField(path, cidrs, fault)];
}

function networkFaults(cidr: string): readonly string[] {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) return [networkFault];
  const beyond = formatIp(maskNetwork(parsed).address) !== formatIp(parsed.address);
  if (beyond) return ['must not have bits set beyond the prefix length'];
  const canonical = `${formatIp(parsed.address)}/${parsed.prefixLength}`;
  return canonical === cidr ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}

/** A second network may be added, nothing else changes. */
function validateKept(next: readonly string[], old: readonly string[]): Errors {
  const changed = old.flatMap((cidr, index) =>
    cidr === next[index] ? [] : [invalidField(`spec.cidrs[${index}]`, next[index] ?? '', 'field is immutable')],
  );
  if (next.length === old.length || (old.length === 1 && next.length === 2)) return changed;
  return [invalidField('spec.cidrs', next, 'field is immutable')];
}

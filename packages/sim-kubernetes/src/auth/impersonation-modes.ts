import type { UserInfo } from '../registry/admission.ts';
import { checkSubdomain } from '../registry/name-checks.ts';

/** A narrow way of acting as somebody else, and for whom it is. */
export type ImpersonationMode = {
  readonly name: string;
  readonly fits: (wanted: UserInfo, caller: UserInfo) => boolean;
};

export const associatedNode = 'associated-node';

export const narrowModes: readonly ImpersonationMode[] = [
  { name: associatedNode, fits: (wanted, caller) => isPlain(wanted) && runsOn(caller, nodeOf(wanted)) },
  { name: 'arbitrary-node', fits: (wanted) => isPlain(wanted) && nodeOf(wanted) !== undefined },
  { name: 'serviceaccount', fits: (wanted) => isPlain(wanted) && accountOf(wanted) !== undefined },
  { name: 'user-info', fits: (wanted) => nodeOf(wanted) === undefined && accountOf(wanted) === undefined },
];

/** Nothing but a name is wanted. */
function isPlain({ uid, groups, extra }: UserInfo): boolean {
  return uid === undefined && groups.length === 0 && extra === undefined;
}

export function nodeOf({ username }: UserInfo): string | undefined {
  const name = /^system:node:(.+)$/.exec(username)?.[1];
  return name !== undefined && checkSubdomain(name).length === 0 ? name : undefined;
}

export function accountOf({ username }: UserInfo): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

function runsOn(caller: UserInfo, node: string | undefined): boolean {
  const names = caller.extra?.['authentication.kubernetes.io/node-name'] ?? [];
  return node !== undefined && accountOf(caller) !== undefined && names.length === 1 && names[0] === node;
}

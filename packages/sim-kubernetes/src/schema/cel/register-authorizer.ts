import type { Environment } from '@marcbachmann/cel-js';

/** What is asked: may somebody do something? */
export type AskedRight = {
  /** A ServiceAccount in place of whoever makes the request. */
  readonly account?: { readonly namespace: string; readonly name: string } | undefined;
  readonly verb: string;
  readonly path?: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
};

export type AskRight = (right: AskedRight) => { readonly allowed: boolean; readonly reason: string };

/** `authorizer` in expressions: asks as somebody, and knows the resource of the request. */
export class CelAuthorizer {
  readonly ask: AskRight;
  readonly requestResource: ResourceCheck;
  readonly account: AskedRight['account'];
  constructor(ask: AskRight, request: Omit<AskedRight, 'verb' | 'account'>, account?: AskedRight['account']) {
    this.ask = ask;
    this.account = account;
    this.requestResource = new ResourceCheck(this, request);
  }
}

type Asked = Omit<AskedRight, 'verb' | 'account'>;
const nothing: Asked = { group: '', resource: '', subresource: '', namespace: '', name: '' };

class PathCheck {
  readonly by: CelAuthorizer;
  readonly path: string;
  constructor(by: CelAuthorizer, path: string) {
    this.by = by;
    this.path = path;
  }
}

class GroupCheck {
  readonly by: CelAuthorizer;
  readonly group: string;
  constructor(by: CelAuthorizer, group: string) {
    this.by = by;
    this.group = group;
  }
}

class ResourceCheck {
  readonly by: CelAuthorizer;
  readonly asked: Asked;
  constructor(by: CelAuthorizer, asked: Asked) {
    this.by = by;
    this.asked = asked;
  }
}

class Decision {
  readonly allowed: boolean;
  readonly reason: string;
  constructor({ allowed, reason }: ReturnType<AskRight>) {
    this.allowed = allowed;
    this.reason = reason;
  }
}

const types = {
  authorizer: 'kubernetes.authorization.Authorizer',
  path: 'kubernetes.authorization.PathCheck',
  group: 'kubernetes.authorization.GroupCheck',
  resource: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
} as const;

/** The functions by which expressions ask what somebody may do, and the variable they begin with. */
export function registerAuthorizer(environment: Environment): Environment {
  const narrowed = (key: 'subresource' | 'namespace' | 'name') => (check: ResourceCheck, value: string) =>
    new ResourceCheck(check.by, { ...check.asked, [key]: value });
  return environment
    .registerType(types.decision, Decision)
    .registerType(types.resource, ResourceCheck)
    .registerType(types.group, GroupCheck)
    .registerType(types.path, PathCheck)
    .registerType(types.authorizer, { ctor: CelAuthorizer, fields: { requestResource: types.resource } })
    .registerFunction(`${types.authorizer}.path(string): ${types.path}`, toPathCheck)
    .registerFunction(`${types.authorizer}.group(string): ${types.group}`, toGroupCheck)
    .registerFunction(`${types.authorizer}.serviceAccount(string, string): ${types.authorizer}`, asAccount)
    .registerFunction(`${types.group}.resource(string): ${types.resource}`, toResourceCheck)
    .registerFunction(`${types.resource}.subresource(string): ${types.resource}`, narrowed('subresource'))
    .registerFunction(`${types.resource}.namespace(string): ${types.resource}`, narrowed('namespace'))
    .registerFunction(`${types.resource}.name(string): ${types.resource}`, narrowed('name'))
    .registerFunction(`${types.resource}.fieldSelector(string): ${types.resource}`, (check: ResourceCheck) => check)
    .registerFunction(`${types.resource}.labelSelector(string): ${types.resource}`, (check: ResourceCheck) => check)
    .registerFunction(`${types.path}.check(string): ${types.decision}`, decidePath)
    .registerFunction(`${types.resource}.check(string): ${types.decision}`, decideResource)
    .registerFunction(`${types.decision}.allowed(): bool`, (decision: Decision) => decision.allowed)
    .registerFunction(`${types.decision}.reason(): string`, (decision: Decision) => decision.reason)
    .registerFunction(`${types.decision}.errored(): bool`, () => false)
    .registerFunction(`${types.decision}.error(): string`, () => '')
    .registerVariable('authorizer', types.authorizer);
}

function toPathCheck(by: CelAuthorizer, path: string): PathCheck {
  if (path === '') throw new Error('path must not be empty');
  return new PathCheck(by, path);
}

const toGroupCheck = (by: CelAuthorizer, group: string): GroupCheck => new GroupCheck(by, group);

function asAccount(by: CelAuthorizer, namespace: string, name: string): CelAuthorizer {
  return new CelAuthorizer(by.ask, by.requestResource.asked, { namespace, name });
}

function toResourceCheck({ by, group }: GroupCheck, resource: string): ResourceCheck {
  return new ResourceCheck(by, { ...nothing, group, resource });
}

function decidePath({ by, path }: PathCheck, verb: string): Decision {
  return new Decision(by.ask({ ...nothing, path, verb, account: by.account }));
}

function decideResource({ by, asked }: ResourceCheck, verb: string): Decision {
  return new Decision(by.ask({ ...asked, verb, account: by.account }));
}

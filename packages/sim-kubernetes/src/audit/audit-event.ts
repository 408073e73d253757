// The events of audit.k8s.io/v1 at level Metadata, field by field in kube-apiserver's order.
import { attributesOf } from '../auth/attributes.ts';
import { anonymous } from '../auth/authorizer.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { splitPath } from '../http/parse-path.ts';
import type { UserInfo } from '../registry/admission.ts';
import type { StatusDetails } from '../registry/api-error.ts';
import type { AuditTrail } from './audit-trail.ts';

export type AuditUser = {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: UserInfo['extra'];
};

export type AuditObjectRef = {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
};

export type AuditStatus = {
  readonly metadata: object;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
};

export type AuditEvent = {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: 'Metadata';
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditUser;
  readonly impersonatedUser?: AuditUser;
  readonly authenticationMetadata?: { readonly impersonationConstraint: string };
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: AuditObjectRef;
  readonly responseStatus: AuditStatus;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type AuditFacts = {
  readonly auditId: string;
  readonly request: ApiRequest;
  readonly trail: AuditTrail;
  readonly status: AuditStatus;
  readonly receivedMs: number;
  readonly nowMs: number;
};

const longestAgent = 1024;

export function toAuditEvent(stage: AuditEvent['stage'], facts: AuditFacts): AuditEvent {
  const { auditId, request, trail, status, receivedMs, nowMs } = facts;
  const { headers } = request;
  const { verb, path } = attributesOf(trail.user ?? anonymous, request);
  const { actsAs, constraint } = trail;
  const annotations = Object.entries(trail.annotations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sourceIPs = sourcesOf(request);
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: auditId,
    stage,
    requestURI: uriOf(request),
    verb,
    user: userOf(trail.user),
    ...(actsAs && { impersonatedUser: userOf(actsAs) }),
    ...(constraint !== undefined && { authenticationMetadata: { impersonationConstraint: constraint } }),
    ...(sourceIPs.length > 0 && { sourceIPs }),
    ...given({ userAgent: shortened(headers['user-agent'] ?? '') }),
    ...(path === undefined && { objectRef: objectRefOf(facts) }),
    responseStatus: status,
    requestReceivedTimestamp: microTime(receivedMs),
    stageTimestamp: microTime(nowMs),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

/** Whether a request goes on after its answer has begun, and so is told of twice. */
export function isLongRunning(request: ApiRequest): boolean {
  const { verb, path, subresource } = attributesOf(anonymous, request);
  return path === undefined && (verb === 'watch' || lasting.has(subresource));
}

const lasting = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

function objectRefOf({ request, trail: { object = {} } }: AuditFacts): AuditObjectRef {
  const { resource, namespace, name, group, subresource } = attributesOf(anonymous, request);
  const [root, second = '', third = ''] = splitPath(request.path);
  return given({
    resource,
    namespace: namespace || object.namespace,
    name: name || object.name,
    uid: object.uid,
    apiGroup: group,
    apiVersion: root === 'api' ? second : third,
    resourceVersion: object.resourceVersion,
    subresource,
  });
}

function userOf(user: UserInfo | undefined): AuditUser {
  if (user === undefined) return {};
  const { username, uid, groups, extra = {} } = user;
  return {
    ...given({ username, uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Where a request comes from: what proxies say before what the socket shows, which is not said twice. */
function sourcesOf({ headers, remoteAddress }: ApiRequest): readonly string[] {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim());
  const told = forwarded.filter((part) => part !== '');
  const real = (headers['x-real-ip'] ?? '').trim();
  if (real !== '' && !told.includes(real)) told.push(real);
  if (remoteAddress !== undefined && told.at(-1) !== remoteAddress) told.push(remoteAddress);
  return told;
}

function uriOf({ url, path, query }: ApiRequest): string {
  return url ?? (query.size === 0 ? path : `${path}?${query.toString()}`);
}

function shortened(agent: string): string {
  return agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent;
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
}

/** Without the fields that say nothing. */
function given<K extends string>(
  fields: Readonly<Record<K, string | undefined>>,
): Readonly<Partial<Record<K, string>>> {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(told) as Partial<Record<K, string>>;
}

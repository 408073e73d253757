import { child, items, maybeChild, text, texts } from '../../kinds/draft-fields.ts';
import type { JsonObject } from '../../registry/json.ts';
import { addedCapabilities, badProfile, judgeProcMount, unlessUserNamespace } from './baseline-checks.ts';
import type { CheckedPod, Judge, SecurityCheck, Violation } from './security-check.ts';
import { containersText, contextOf, distinct, plural, quoted, settersText, valuesIn } from './security-check.ts';

// The checks that the level "restricted" has beside those of the baseline: what a hardened pod says of itself.

function judgeEscalation({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter((container) => contextOf(container)?.['allowPrivilegeEscalation'] !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

const capabilities = (container: JsonObject): JsonObject => child(contextOf(container), 'capabilities') as JsonObject;

function judgeCapabilities(pod: CheckedPod): Violation | undefined {
  const keeping = pod.containers.filter((container) => !texts(capabilities(container), 'drop').includes('ALL'));
  const reason = 'unrestricted capabilities';
  const added = addedCapabilities(reason, pod, (container) =>
    texts(capabilities(container), 'add').filter((name) => name !== 'NET_BIND_SERVICE'),
  );
  const details = [
    ...(keeping.length === 0 ? [] : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(added === undefined ? [] : [added.detail]),
  ];
  return details.length === 0 ? undefined : { reason, detail: details.join('; ') };
}

const tame = 'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' ');

const typeOf = (volume: JsonObject): string =>
  Object.keys(volume).find((key) => key !== 'name' && maybeChild(volume, key) !== undefined) ?? 'unknown';

function judgeVolumes({ spec }: CheckedPod): Violation | undefined {
  const bad = items(spec, 'volumes').filter((volume) => !tame.includes(typeOf(volume as JsonObject)));
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map((volume) => typeOf(volume as JsonObject)));
  const who = `${plural(bad.length, 'volume')} ${quoted(bad.map((volume) => text(volume, 'name')))}`;
  const what = `${plural(types.length, 'restricted volume type')} ${quoted(types)}`;
  return { reason: 'restricted volume types', detail: `${who} ${plural(bad.length, 'uses', 'use')} ${what}` };
}

function judgeNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const setters = settersText(pod, (context) => context['runAsNonRoot'] === false);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (contextOf(pod.spec)?.['runAsNonRoot'] === true) return undefined;
  const silent = pod.containers.filter((container) => typeof contextOf(container)?.['runAsNonRoot'] !== 'boolean');
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
}

function judgeUser(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, (context) => context['runAsUser'] === 0);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
}

const hasSeccomp = (of: JsonObject): boolean => maybeChild(contextOf(of), 'seccompProfile') !== undefined;

function judgeSeccomp(pod: CheckedPod): Violation | undefined {
  const reason = 'seccompProfile';
  const bad = badProfile('seccompProfile');
  const setters = settersText(pod, (context) => bad(context) !== undefined);
  const field = 'securityContext.seccompProfile.type';
  if (setters !== '') return { reason, detail: `${setters} must not set ${field} to ${quoted(valuesIn(pod, bad))}` };
  if (hasSeccomp(pod.spec)) return undefined;
  const silent = pod.containers.filter((container) => !hasSeccomp(container));
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set ${field} to "RuntimeDefault" or "Localhost"` };
}

/** There is none of this on Windows. */
const unlessWindows =
  (judge: Judge): Judge =>
  (pod) =>
    text(child(pod.spec, 'os'), 'name') === 'windows' ? undefined : judge(pod);

const withWindows = (since: number, judge: Judge): SecurityCheck['versions'] => [
  { since, judge },
  { since: 25, judge: unlessWindows(judge) },
];

const withUsers = (since: number, judge: Judge): SecurityCheck['versions'] => [
  { since, judge },
  { since: 35, judge: unlessUserNamespace(judge) },
];

/** In the order of their names, behind those of the baseline. */
export const restrictedChecks: readonly SecurityCheck[] = [
  { id: 'allowPrivilegeEscalation', versions: withWindows(8, judgeEscalation) },
  {
    id: 'capabilities_restricted',
    versions: withWindows(22, judgeCapabilities),
    replaces: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', versions: [{ since: 35, judge: judgeProcMount }], replaces: 'procMount' },
  { id: 'restrictedVolumes', versions: [{ since: 0, judge: judgeVolumes }], replaces: 'hostPathVolumes' },
  { id: 'runAsNonRoot', versions: withUsers(0, judgeNonRoot) },
  { id: 'runAsUser', versions: withUsers(23, judgeUser) },
  {
    id: 'seccompProfile_restricted',
    versions: withWindows(19, judgeSeccomp),
    replaces: 'seccompProfile_baseline',
  },
];

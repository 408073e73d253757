import { child, count, flag, items, maybeChild, text, texts } from '../../kinds/draft-fields.ts';
import type { JsonObject } from '../../registry/json.ts';
import { goQuote } from '../../schema/go-format.ts';
import type { CheckedPod, Judge, SecurityCheck, Violation } from './security-check.ts';
import { containersText, contextOf, distinct, plural, quoted, settersText, valuesIn } from './security-check.ts';

// The checks of the level "baseline": what is known to let a pod out of its container.

const usualCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

const unusualIn = (of: JsonObject): readonly string[] =>
  texts(child(contextOf(of), 'capabilities'), 'add').filter((name) => !usualCapabilities.has(name));

function judgeCapabilities(pod: CheckedPod): Violation | undefined {
  return addedCapabilities('non-default capabilities', pod, unusualIn);
}

/** Containers that add capabilities, with the words that both levels use. */
export function addedCapabilities(
  reason: string,
  { containers }: CheckedPod,
  added: (container: JsonObject) => readonly string[],
): Violation | undefined {
  const bad = containers.filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(distinct(bad.flatMap(added)));
  return { reason, detail: `${containersText(bad)} must not include ${names} in securityContext.capabilities.add` };
}

function judgeNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => flag(spec, name));
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
}

function judgeHostPaths({ spec }: CheckedPod): Violation | undefined {
  const names = items(spec, 'volumes')
    .filter((volume) => maybeChild(volume, 'hostPath') !== undefined)
    .map((volume) => text(volume, 'name'));
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(names.length, 'volume')} ${quoted(names)}` };
}

const portsOf = (container: JsonObject): readonly string[] =>
  items(container, 'ports')
    .map((port) => count(port, 'hostPort'))
    .filter((port) => port !== 0)
    .map(String);

function judgeHostPorts({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(bad.flatMap(portsOf));
  const verb = plural(bad.length, 'uses', 'use');
  const detail = `${containersText(bad)} ${verb} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail };
}

const hostsOf = (container: JsonObject): readonly string[] => {
  const lifecycle = child(container, 'lifecycle');
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => child(container, name));
  return [...probes, child(lifecycle, 'postStart'), child(lifecycle, 'preStop')]
    .flatMap((handler) => ['httpGet', 'tcpSocket'].map((way) => text(child(handler, way), 'host')))
    .filter((host) => host !== '');
};

function judgeProbeHosts({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const [names, hosts] = [distinct(bad.map((container) => text(container, 'name'))), distinct(bad.flatMap(hostsOf))];
  const who = `${plural(names.length, 'container')} ${quoted(names)} ${plural(names.length, 'uses', 'use')}`;
  const reason = 'probe or lifecycle host';
  return { reason, detail: `${who} ${plural(hosts.length, reason)} ${quoted(hosts)}` };
}

function judgePrivileged({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter((container) => flag(contextOf(container), 'privileged'));
  if (bad.length === 0) return undefined;
  return { reason: 'privileged', detail: `${containersText(bad)} must not set securityContext.privileged=true` };
}

const mountOf = (container: JsonObject): string => text(contextOf(container), 'procMount') || 'Default';

export function judgeProcMount({ containers }: CheckedPod): Violation | undefined {
  const bad = containers.filter((container) => mountOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const values = quoted(distinct(bad.map(mountOf)));
  return { reason: 'procMount', detail: `${containersText(bad)} must not set securityContext.procMount to ${values}` };
}

/** Whoever is root in a namespace of users is nobody outside. */
export const unlessUserNamespace =
  (judge: Judge): Judge =>
  (pod) =>
    pod.spec['hostUsers'] === false ? undefined : judge(pod);

const selinuxOf = (context: JsonObject): JsonObject => child(context, 'seLinuxOptions') as JsonObject;

const setsSelinux = (name: string) => (context: JsonObject) => text(selinuxOf(context), name) !== '';

function judgeSelinux(types: readonly string[]): Judge {
  const badType = (context: JsonObject): string | undefined => {
    const type = text(selinuxOf(context), 'type');
    return type === '' || types.includes(type) ? undefined : type;
  };
  const isBad = (context: JsonObject): boolean =>
    badType(context) !== undefined || setsSelinux('user')(context) || setsSelinux('role')(context);
  return (pod) => {
    const setters = settersText(pod, isBad);
    if (setters === '') return undefined;
    const bad = valuesIn(pod, badType);
    const said = [
      ...(bad.length > 0 ? [`${plural(bad.length, 'type')} ${quoted(bad)}`] : []),
      ...['user', 'role']
        .filter((name) => settersText(pod, setsSelinux(name)) !== '')
        .map((name) => `${name} may not be set`),
    ];
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${said.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };
}

const judgeSysctls =
  (safe: readonly string[]): Judge =>
  ({ spec }) => {
    const names = items(contextOf(spec), 'sysctls').map((sysctl) => text(sysctl, 'name'));
    const bad = names.filter((name) => !safe.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };

function judgeHostProcess(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, (context) => flag(child(context, 'windowsOptions'), 'hostProcess'));
  if (setters === '') return undefined;
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
}

/** The type of a profile that is neither the runtime's own nor one of the node. */
export function badProfile(field: string): (context: JsonObject) => string | undefined {
  return (context) => {
    const profile = maybeChild(context, field);
    const type = text(profile, 'type');
    return profile === undefined || type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
  };
}

const armour = 'container.apparmor.security.beta.kubernetes.io/';

function judgeAppArmor(pod: CheckedPod): Violation | undefined {
  const bad = badProfile('appArmorProfile');
  const setters = settersText(pod, (context) => bad(context) !== undefined);
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(armour) && !/^(|runtime\/default|localhost\/.*)$/s.test(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .toSorted();
  const values = [...valuesIn(pod, bad), ...annotations];
  if (values.length === 0) return undefined;
  const who = [setters, annotations.length === 0 ? '' : plural(annotations.length, 'annotation')];
  return {
    reason: `forbidden AppArmor ${plural(values.length, 'profile')}`,
    detail: `${who.filter((word) => word !== '').join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

function judgeSeccomp(pod: CheckedPod): Violation | undefined {
  const bad = badProfile('seccompProfile');
  const setters = settersText(pod, (context) => bad(context) !== undefined);
  if (setters === '') return undefined;
  const values = quoted(valuesIn(pod, bad));
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${values}`,
  };
}

/** Before there was a field, an annotation said it. */
function judgeSeccompAnnotations({ annotations, containers }: CheckedPod): Violation | undefined {
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...containers.map((container) => `container.seccomp.security.alpha.kubernetes.io/${text(container, 'name')}`),
  ];
  const bad = keys.flatMap((key) => {
    const value = annotations[key];
    if (value === undefined || /^(runtime\/default|docker\/default|localhost\/.*)$/s.test(value)) return [];
    return [`${key}=${goQuote(value)}`];
  });
  const said = distinct(bad);
  if (said.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural(said.length, 'annotation')} ${said.join(', ')}` };
}

const containerTypes = ['container_t', 'container_init_t', 'container_kvm_t'];
const sysctlsOf = (names: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...names.split(' '),
];
const sysctls0 = sysctlsOf(
  'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range net.ipv4.ip_unprivileged_port_start',
);
const sysctls27 = sysctlsOf('net.ipv4.ip_local_reserved_ports', sysctls0);
const sysctls29 = sysctlsOf(
  'net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
  sysctls27,
);
const sysctls32 = sysctlsOf('net.ipv4.tcp_rmem net.ipv4.tcp_wmem', sysctls29);

const always = (id: string, judge: Judge): SecurityCheck => ({ id, versions: [{ since: 0, judge }] });

/** In the order of their names, in which what is wrong is told. */
export const baselineChecks: readonly SecurityCheck[] = [
  always('appArmorProfile', judgeAppArmor),
  always('capabilities_baseline', judgeCapabilities),
  always('hostNamespaces', judgeNamespaces),
  always('hostPathVolumes', judgeHostPaths),
  always('hostPorts', judgeHostPorts),
  { id: 'hostProbesAndHostLifecycle', versions: [{ since: 34, judge: judgeProbeHosts }] },
  always('privileged', judgePrivileged),
  {
    id: 'procMount',
    versions: [
      { since: 0, judge: judgeProcMount },
      { since: 35, judge: unlessUserNamespace(judgeProcMount) },
    ],
  },
  {
    id: 'seLinuxOptions',
    versions: [
      { since: 0, judge: judgeSelinux(containerTypes) },
      { since: 31, judge: judgeSelinux([...containerTypes, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      { since: 0, judge: judgeSeccompAnnotations },
      { since: 19, judge: judgeSeccomp },
    ],
  },
  {
    id: 'sysctls',
    versions: [
      { since: 0, judge: judgeSysctls(sysctls0) },
      { since: 27, judge: judgeSysctls(sysctls27) },
      { since: 29, judge: judgeSysctls(sysctls29) },
      { since: 32, judge: judgeSysctls(sysctls32) },
    ],
  },
  always('windowsHostProcess', judgeHostProcess),
];

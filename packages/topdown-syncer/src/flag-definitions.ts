/** A flag of the syncer, as its help shows it. */
export type FlagDefinition = {
  readonly flag: string;
  /** What its value is called; absent for flags that are true or false. */
  readonly value?: string;
  readonly about: string;
  /** How the help writes the value when the flag is not given. */
  readonly otherwise?: string;
};

const original: readonly FlagDefinition[] = [
  { flag: 'cluster-binding-name', value: 'name', about: 'the ClusterBinding that this process serves; required' },
  {
    flag: 'metrics-bind-address',
    value: 'address',
    about: 'where /metrics answers; 0 for nowhere',
    otherwise: ':8080',
  },
  {
    flag: 'health-probe-bind-address',
    value: 'address',
    about: 'where /healthz and /readyz answer; 0 for nowhere',
    otherwise: ':8081',
  },
  { flag: 'leader-elect', about: 'work only while holding the lease', otherwise: 'true' },
  { flag: 'leader-election-id', value: 'name', about: 'name of the lease', otherwise: 'kubeocean-syncer-<binding>' },
  { flag: 'virtual-client-qps', value: 'number', about: 'requests a second to V; 0 for no limit', otherwise: '0' },
  { flag: 'virtual-client-burst', value: 'number', about: '... and how many at once', otherwise: 'as many' },
  { flag: 'physical-client-qps', value: 'number', about: 'requests a second to P; 0 for no limit', otherwise: '0' },
  { flag: 'physical-client-burst', value: 'number', about: '... and how many at once', otherwise: 'as many' },
  {
    flag: 'prometheus-vnode-base-port',
    value: 'port',
    about: 'the port in the prometheus-url of virtual nodes',
    otherwise: '9006',
  },
  {
    flag: 'zap-log-level',
    value: 'level',
    about: 'debug, info, warn or error; a number above 0 is debug',
    otherwise: 'info',
  },
];

const own: readonly FlagDefinition[] = [
  { flag: 'kubeconfig', value: 'path', about: 'the way into V', otherwise: 'as kubectl finds it' },
  { flag: 'leader-election-namespace', value: 'name', about: 'where the lease is', otherwise: "the pod's own" },
  { flag: 'name-salt', value: 'text', about: 'several virtual clusters on one mount namespace: other names in P' },
  {
    flag: 'csi-secret-namespaces',
    value: 'names',
    about: 'namespaces of P, separated by commas, that receive the Secrets of CSI volumes',
  },
  {
    flag: 'redirection',
    value: 'mode',
    about: "auto: pods reach V's API server and DNS where the intranet Services exist; required; off",
    otherwise: 'auto',
  },
  { flag: 'cluster-domain', value: 'domain', about: "V's DNS domain", otherwise: 'cluster.local' },
  {
    flag: 'service-variables',
    about: "pods get the variables of V's Services, as kubelets set them",
    otherwise: 'true',
  },
  { flag: 'collect-unused', about: 'copies that no pod names any more are deleted in P', otherwise: 'false' },
  { flag: 'all-events', about: 'normal events of P in V, too', otherwise: 'false' },
  {
    flag: 'manage-binding-status',
    about: "write the binding's status, where no manager of Kubeocean does",
    otherwise: 'false',
  },
  {
    flag: 'scheduling-timeout-seconds',
    value: 'number',
    about: 'how long P may take to find a node',
    otherwise: '300',
  },
  { flag: 'time-zone', value: 'zone', about: "zone of the policies' windows", otherwise: 'UTC' },
  { flag: 'node-address', value: 'address', about: 'where logs of virtual nodes are served' },
];

const ofCleanup: readonly FlagDefinition[] = [
  { flag: 'cluster-id', value: 'id', about: 'where the binding itself is gone already: its clusterID' },
  { flag: 'yes', about: 'do it; without it cleanup only says what it would do' },
];

/** Understood, because manifests of the original may carry them, and without effect. */
const ignored = ['zap-devel', 'zap-encoder', 'zap-stacktrace-level', 'zap-time-encoding'];

const shown = [...original, ...own, ...ofCleanup];

/** `cleanup` understands these alone, and nobody else those that are its own. */
export const cleanupFlags: ReadonlySet<string> = new Set([
  'cluster-binding-name',
  'kubeconfig',
  'help',
  ...ofCleanup.map(({ flag }) => flag),
]);
export const ownCleanupFlags: ReadonlySet<string> = new Set(ofCleanup.map(({ flag }) => flag));

/** True or false; alone it means true. */
export const booleanFlags: ReadonlySet<string> = new Set([
  ...shown.filter(({ value }) => value === undefined).map(({ flag }) => flag),
  'zap-devel',
  'help',
]);

export const valueFlags: ReadonlySet<string> = new Set([
  ...shown.filter(({ value }) => value !== undefined).map(({ flag }) => flag),
  ...ignored.filter((flag) => flag !== 'zap-devel'),
]);

export const usage = `Usage: tributary run topdown-syncer --cluster-binding-name <name> [flags]
       tributary run topdown-syncer cleanup --cluster-binding-name <name> [--cluster-id <id>] [--yes]

Runs pods of a virtual cluster (V) in a physical one (P), for one ClusterBinding.
cleanup takes out of V what a syncer that is gone for good still holds there: finalizers, labels, annotations.

Flags of the original:
${toLines(original)}

Ours:
${toLines(own)}

Of cleanup:
${toLines(ofCleanup)}`;

function toLines(flags: readonly FlagDefinition[]): string {
  return flags
    .map(({ flag, value, about, otherwise }) => {
      const name = `  --${flag}${value === undefined ? '' : ` <${value}>`}`;
      return `${name.padEnd(40)} ${about}${otherwise === undefined ? '' : ` (default: ${otherwise})`}`;
    })
    .join('\n');
}

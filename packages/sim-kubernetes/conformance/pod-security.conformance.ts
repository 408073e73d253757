import { beforeAll, describe, expect, test } from 'vitest';
import { followAudit } from './kit/audit.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

// PodSecurity: what the labels of a namespace ask of its pods, at every level and in the words of old versions too.

const { api, server } = useServer();
const golden = useGolden('pod-security');
const prefix = 'pod-security.kubernetes.io/';
const spaces = new Map<string, string>();

async function labelled(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const namespace = await createNamespace(api, 'secure');
  spaces.set(name, namespace);
  const full = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${prefix}${key}`, value]));
  const answer = await api.patch(`/api/v1/namespaces/${namespace}`, 'merge', { metadata: { labels: full } });
  if (answer.status !== 200) throw new Error(answer.text);
}

beforeAll(async () => {
  await labelled('baseline', { enforce: 'baseline' });
  await labelled('restricted', { enforce: 'restricted' });
  await labelled('old-baseline', { enforce: 'baseline', 'enforce-version': 'v1.18' });
  await labelled('old-restricted', { enforce: 'restricted', 'enforce-version': 'v1.19' });
  await labelled('warned', { warn: 'restricted', 'warn-version': 'v1.24', audit: 'baseline' });
});

const placeOf = (space: string): string => spaces.get(space) ?? '';
const shown = (answer: Answer, space: string): Loose => {
  const { status, warning, body } = maskedAnswer(answer, { [placeOf(space)]: '<namespace>' });
  return status < 400 ? { status, warning } : { status, warning, body };
};
const offer = async (space: string, object: Loose): Promise<Loose> =>
  shown(await api.post(`/api/v1/namespaces/${placeOf(space)}/pods`, object, { dryRun: 'All' }), space);

const main = (more: Loose): Loose => ({ containers: [{ name: 'main', image: 'x', ...more }] });
const context = (securityContext: Loose): Loose => main({ securityContext });
const hardened = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

const specs: Readonly<Record<string, Loose>> = {
  'nothing special': {},
  hardened: context(hardened),
  'what the pod says for all': {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'a' } },
    ...context({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
  },
  privileged: context({ privileged: true }),
  'the host': { hostNetwork: true, hostPID: true, hostIPC: true },
  'host ports': main({
    ports: [{ containerPort: 80, hostPort: 80 }, { containerPort: 9, hostPort: 9 }, { containerPort: 1 }],
  }),
  'capabilities of two containers': {
    containers: [
      { name: 'a', image: 'x', securityContext: { capabilities: { add: ['SYS_TIME', 'CHOWN'], drop: ['KILL'] } } },
      { name: 'b', image: 'x', securityContext: { capabilities: { add: ['NET_ADMIN', 'SYS_TIME'] } } },
      { name: 'c', image: 'x' },
    ],
  },
  volumes: {
    volumes: [
      { name: 'a', hostPath: { path: '/a' } },
      { name: 'b', nfs: { server: 's', path: '/' } },
      { name: 'c', emptyDir: {} },
      { name: 'd', hostPath: { path: '/b' } },
    ],
  },
  'SELinux options': {
    securityContext: { seLinuxOptions: { type: 'container_engine_t', level: 's0' } },
    ...context({ seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } }),
  },
  seccomp: {
    securityContext: { seccompProfile: { type: 'Unconfined' } },
    ...context({ seccompProfile: { type: 'Unconfined' } }),
  },
  AppArmor: {
    securityContext: { appArmorProfile: { type: 'Unconfined' } },
    ...context({ appArmorProfile: { type: 'RuntimeDefault' } }),
  },
  sysctls: {
    securityContext: {
      sysctls: [
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_rmem', value: '1' },
        { name: 'net.ipv4.tcp_syncookies', value: '1' },
      ],
    },
  },
  'root by name': { securityContext: { runAsUser: 0, runAsNonRoot: false }, ...context({ runAsUser: 0 }) },
  'root within a namespace of users': {
    hostUsers: false,
    ...context({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsUser: 0,
      procMount: 'Unmasked',
    }),
  },
  'containers of all forms': {
    initContainers: [{ name: 'first', image: 'x', securityContext: { runAsNonRoot: false } }],
    containers: [{ name: 'main', image: 'x', securityContext: hardened }],
  },
  'probes of other hosts': main({
    livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } },
    lifecycle: { preStop: { tcpSocket: { host: '10.0.0.2', port: 80 } } },
  }),
  Windows: {
    os: { name: 'windows' },
    ...context({ windowsOptions: { hostProcess: true }, runAsNonRoot: true }),
    hostNetwork: true,
  },
};

describe.each(['baseline', 'restricted', 'old-baseline', 'old-restricted', 'warned'])('in a namespace: %s', (space) => {
  test.each(Object.entries(specs))('%s', async (name, spec) => {
    expect(await offer(space, pod('tried', { spec }))).toEqual(golden(`${space}: ${name}`));
  });
});

describe('PodSecurity', () => {
  test('looks at annotations of old', async () => {
    const annotations = {
      'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
      'container.seccomp.security.alpha.kubernetes.io/main': 'unconfined',
      'container.apparmor.security.beta.kubernetes.io/main': 'unconfined',
    };
    const object = pod('noted', { metadata: { annotations } });
    const answers = [await offer('old-baseline', object), await offer('baseline', object)];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(golden('annotations'));
  });

  const template = {
    metadata: { labels: { app: 'a' } },
    spec: { ...main({}), restartPolicy: 'Always', hostPID: true },
  };
  const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
  const selector = { matchLabels: { app: 'a' } };
  test.each([
    ['/apis/apps/v1', 'deployments', { spec: { selector, template } }],
    ['/apis/apps/v1', 'daemonsets', { spec: { selector, template } }],
    ['/apis/batch/v1', 'jobs', { spec: { template: once } }],
    ['/apis/batch/v1', 'cronjobs', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } }],
    ['/api/v1', 'podtemplates', { template }],
    ['/api/v1', 'replicationcontrollers', { spec: { selector: { app: 'a' }, template } }],
    ['/api/v1', 'replicationcontrollers', { spec: { replicas: 0 } }],
  ])('warns of what %s/%s will make', async (root, plural, object: Loose) => {
    const warned = async (space: string): Promise<Loose> => {
      const path = `${root}/namespaces/${placeOf(space)}/${plural}`;
      const answer = await api.post(path, { metadata: { name: 'maker' }, ...object }, { dryRun: 'All' });
      return shown(answer, space);
    };
    const key = `${plural} ${Object.keys(object.spec ?? object).join(' ')}`;
    expect([await warned('baseline'), await warned('warned')]).toEqual(golden(key));
  });

  test('refuses labels that it does not know, but not those that were there before', async () => {
    const create = async (labels: Loose): Promise<Loose> => {
      const answer = await api.post('/api/v1/namespaces', { metadata: { name: 'odd', labels } }, { dryRun: 'All' });
      return shown(answer, 'baseline');
    };
    expect([
      await create({ [`${prefix}enforce`]: 'strict', [`${prefix}warn-version`]: '1.2' }),
      await create({ [`${prefix}audit`]: '', [`${prefix}enforce-version`]: 'v1.02' }),
      await create({ [`${prefix}enforce`]: 'restricted', [`${prefix}enforce-version`]: 'v1.99' }),
    ]).toEqual(golden('labels'));
  });

  test('says which pods a stricter level would not have let in', async () => {
    const namespace = await createNamespace(api, 'stricter');
    spaces.set('stricter', namespace);
    for (const [name, spec] of [
      ['b', {}],
      ['a', {}],
      ['c', { hostPID: true }],
      ['d', context(hardened)],
    ] as const) {
      const made = await api.post(`/api/v1/namespaces/${namespace}/pods`, pod(name, { spec }));
      expect(made.status).toBe(201);
    }
    const ask = async (labels: Loose): Promise<Loose> =>
      shown(await api.patch(`/api/v1/namespaces/${namespace}`, 'merge', { metadata: { labels } }), 'stricter');
    const answers = [];
    for (const level of ['baseline', 'restricted', 'baseline', 'privileged']) {
      answers.push(await ask({ [`${prefix}enforce`]: level }));
    }
    answers.push(await ask({ [`${prefix}enforce`]: 'baseline', [`${prefix}enforce-version`]: 'v1.20' }));
    answers.push(await ask({ [`${prefix}enforce`]: 'strict' }));
    expect(answers).toEqual(golden('existing pods'));
    const change = (body: Loose, subresource = ''): Promise<Answer> =>
      api.patch(`/api/v1/namespaces/${namespace}/pods/c${subresource}`, 'strategic', body);
    const changes = [
      await change({ metadata: { labels: { a: 'b' } } }),
      await change({ spec: main({ image: 'y' }) }),
      await change({ spec: { ephemeralContainers: [{ name: 'e', image: 'x' }] } }, '/ephemeralcontainers'),
      await change({ status: { phase: 'Running' } }, '/status'),
    ];
    expect(changes.map((answer) => shown(answer, 'stricter'))).toEqual(golden('changes of a pod'));
  });

  test('notes what it found in the audit log', async () => {
    const audited = followAudit(api, server());
    const notes = async (space: string, spec: Loose): Promise<Loose> => {
      const path = `/api/v1/namespaces/${placeOf(space)}/pods`;
      const [event] = await audited.eventsOf({ method: 'POST', path, body: pod(uniqueName('seen'), { spec }) });
      const own = Object.entries(event.annotations).filter(([key]) => key.startsWith(prefix));
      return Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    };
    expect([
      await notes('baseline', { hostPID: true }),
      await notes('baseline', {}),
      await notes('warned', { hostPID: true }),
    ]).toEqual(golden('audit'));
  });
});

import { afterAll, beforeAll } from 'vitest';
import { masked, maskedAnswer } from './mask.ts';
import { createNamespace, eventually, uniqueName } from './scratch.ts';
import { startWebhookServer, allow } from './webhook-server.ts';
import type { Asked, WebhookServer } from './webhook-server.ts';
import type { Answer, Loose, WireClient } from './wire-client.ts';

export const webhooksPath = '/apis/admissionregistration.k8s.io/v1';
export const configurationKinds = {
  mutating: 'MutatingWebhookConfiguration',
  validating: 'ValidatingWebhookConfiguration',
} as const;
export type ConfigurationKind = keyof typeof configurationKinds;

type Names = Readonly<Record<string, string>>;
export const dry = { dryRun: 'All' };

export const ruleOf = (more: Loose = {}): Loose => ({
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  ...more,
});

export const configMap = (name: string, more: Loose = {}): Loose => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  data: { a: '1' },
  ...more,
  metadata: { name, ...more.metadata },
});

export type WebhookWorld = {
  readonly server: () => WebhookServer;
  readonly namespace: () => string;
  readonly configMaps: () => string;
  /** A webhook at a path of its own, for the namespace of the test alone. */
  readonly hook: (path: string, more?: Loose) => Loose;
  /** Installs webhooks, waits until they are asked, runs the test, and takes them away. */
  readonly withHooks: <T>(kind: ConfigurationKind, webhooks: readonly Loose[], run: () => Promise<T>) => Promise<T>;
  /** An answer without what differs from run to run. */
  readonly said: (answer: Answer, names?: Names) => Loose;
  /** What was asked at a path, without what differs, and without who asks, which is another matter. */
  readonly questions: (path: string, names?: Names) => Loose;
};

/** A webhook server and a namespace for a test file. */
export function useWebhooks(api: WireClient): WebhookWorld {
  let running: WebhookServer | undefined;
  let namespace = '';
  let made = 0;
  beforeAll(async () => {
    running = await startWebhookServer();
    namespace = await createNamespace(api);
  });
  afterAll(() => running?.close());
  const server = (): WebhookServer => running as WebhookServer;
  const masking = (names: Names = {}): Names => ({
    [namespace]: '<namespace>',
    [server().url]: '<webhooks>',
    [server().url.replace('https://', '')]: '<address>',
    [server().caBundle]: '<ca>',
    ...names,
  });
  const hook: WebhookWorld['hook'] = (path, more = {}) => ({
    name: `${path.slice(1)}.example.com`,
    clientConfig: { url: `${server().url}${path}`, caBundle: server().caBundle },
    rules: [ruleOf()],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...more,
  });
  const question = ({ body }: Asked, names: Names = {}): Loose => {
    const { userInfo, ...request } = body.request;
    return masked({ ...body, request: { ...request, username: userInfo.username } }, masking(names));
  };
  const probe = async (path: string): Promise<boolean> => {
    const before = server().asked(path).length;
    await api.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: uniqueName('probe') } }, dry);
    return server().asked(path).length > before;
  };
  return {
    server,
    namespace: () => namespace,
    configMaps: () => `/api/v1/namespaces/${namespace}/configmaps`,
    hook,
    withHooks: async (kind, webhooks, run) => {
      made += 1;
      const name = `${String(made).padStart(3, '0')}-${uniqueName('hooks')}`;
      const place = `/probe-${name}`;
      server().on(place, allow);
      // The last webhook is only there to tell when the server has taken notice.
      const last = hook(place, { name: `probe.${name}.example.com`, rules: [ruleOf({ resources: ['secrets'] })] });
      const path = `${webhooksPath}/${configurationKinds[kind].toLowerCase()}s`;
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: configurationKinds[kind],
        metadata: { name },
        webhooks: [...webhooks, last],
      };
      const created = await api.post(path, body);
      if (created.status !== 201) throw new Error(created.text);
      try {
        await eventually(() => probe(place), Boolean);
        return await run();
      } finally {
        await api.del(`${path}/${name}`);
        await eventually(
          () => probe(place),
          (asked) => !asked,
        );
      }
    },
    said: (answer, names) => maskedAnswer(answer, masking(names)),
    questions: (path, names) =>
      server()
        .asked(path)
        .map((asked) => question(asked, names)),
  };
}

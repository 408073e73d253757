import { createGreetingController, greeting } from '../../../../examples/greeting/greeting-controller.ts';
import { configMapKind } from '@tributary/runtime';
import type { AnyObject, Kind } from '@tributary/runtime';
import type { Scene } from './scene.ts';

const people = ['world', 'kubernetes', 'playground'];

/** The example of the runtime's README, alive. */
export const greetingScene: Scene = {
  name: 'greeting',
  customKinds: [greeting],
  open: async ({ connection }) => ({
    operators: [createGreetingController(connection)],
    examples: people.map((name) => ({
      kind: greeting as unknown as Kind,
      object: { metadata: { name, namespace: 'default' }, spec: { to: name } } as AnyObject,
    })),
    isReady: (_, seen) => typeof (seen['status'] as { text?: unknown } | undefined)?.text === 'string',
    shown: [configMapKind],
    facts: [],
    tryThis: [
      'kubectl get greetings',
      `kubectl patch greeting world --type=merge -p '{"spec":{"to":"everybody"}}'`,
      'kubectl delete configmap world       # it comes back',
      `kubectl run hello --image=nginx      # a scripted kubelet runs it`,
    ],
    providerCalls: () => 0,
    close: async () => undefined,
  }),
};

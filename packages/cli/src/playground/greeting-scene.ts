import { createGreetingController, greeting } from '../../../../examples/greeting/greeting-controller.ts';
import type { AnyObject, Kind } from '@tributary/runtime';
import type { Scene } from './scene.ts';

const people = ['world', 'kubernetes', 'playground'];

/** The example of the runtime's README, alive. */
export const greetingScene: Scene = {
  name: 'greeting',
  customKinds: [greeting],
  examples: people.map((name) => ({
    kind: greeting as unknown as Kind,
    object: { metadata: { name, namespace: 'default' }, spec: { to: name } } as AnyObject,
  })),
  operators: (connection) => [createGreetingController(connection)],
  isReady: (object) => typeof (object['status'] as { text?: unknown } | undefined)?.text === 'string',
  tryThis: [
    'kubectl get greetings',
    `kubectl patch greeting world --type=merge -p '{"spec":{"to":"everybody"}}'`,
    'kubectl get configmap world -o yaml',
    'kubectl delete configmap world       # it comes back',
    `kubectl run hello --image=nginx      # a scripted kubelet runs it`,
    'kubectl get pods -w',
  ],
};

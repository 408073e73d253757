import { configMapKind as configMap, createController, defineCustomKind } from '@tributary/runtime';
import { ownedBy, settled, toRef, watch, withOwner } from '@tributary/runtime';
import type { Connection, Runnable } from '@tributary/runtime';
import { z } from 'zod';

// One definition is the TypeScript type, the validation and the CRD.
const spec = z.object({ to: z.string().min(1).max(64) });
const status = z.object({ text: z.string() });
const printerColumns = [{ name: 'Text', type: 'string', jsonPath: '.status.text' }] as const;
const names = { group: 'examples.tributary.dev', kind: 'Greeting', plural: 'greetings', scope: 'Namespaced' } as const;
export const greeting = defineCustomKind({ ...names, versions: [{ name: 'v1', spec, status, printerColumns }] });

/** Keeps a ConfigMap beside each Greeting, and says in its status what the ConfigMap says. */
export function createGreetingController(connection: Connection): Runnable {
  const { client, cache } = connection;
  const greetings = cache.informer(greeting);
  const configMaps = cache.informer(configMap);

  const reconcile = async (key: string) => {
    const ref = toRef(key);
    const object = greetings.get(ref);
    if (!object) return settled; // Its ConfigMap goes with it: the garbage collector knows the owner.
    const data = { text: `Hello, ${object.spec.to}!` };
    const seen = configMaps.get(ref);
    if (!seen) {
      const wanted = { metadata: { name: ref.name, namespace: ref.namespace ?? '' }, data };
      await client.create(configMap, withOwner(wanted, greeting, object, { controller: true }));
    } else if (seen.data?.['text'] !== data.text) {
      await client.patch(configMap, ref, { type: 'merge', body: { data } });
    }
    if (object.status?.text !== data.text) {
      await client.patchStatus(greeting, ref, { type: 'merge', body: { status: data } });
    }
    return settled;
  };

  const watches = [watch(greeting), watch(configMap, { toKeys: ownedBy(greeting) })];
  return createController({ name: 'greeting', watches, reconcile }, connection);
}

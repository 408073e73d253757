import type { KubeClient } from '@tributary/runtime';
import { expect } from 'vitest';
import { eipKind } from '../resource.ts';
import type { EipObject } from '../resource.ts';
import { changeCases, specCases } from './spec-cases.ts';

const ref = { namespace: 'default', name: 'rules' };

/** The whole table against an API server, by dry runs and updates that it must refuse or take. */
export async function expectSpecRules(client: KubeClient): Promise<void> {
  for (const { name, spec, says } of specCases) {
    const made = client.create(eipKind, { metadata: ref, spec } as EipObject, { dryRun: true });
    await expectAnswer(made, says, name);
  }
  for (const { name, from, to, says } of changeCases) {
    const before = await client.create(eipKind, { metadata: ref, spec: from } as EipObject);
    const { resourceVersion } = before.metadata;
    const after = { ...before, metadata: { ...ref, resourceVersion }, spec: to } as EipObject;
    await expectAnswer(client.update(eipKind, after), says, name);
    await client.delete(eipKind, ref);
  }
}

async function expectAnswer(answer: Promise<unknown>, says: string | undefined, name: string): Promise<void> {
  const error = await answer.then(
    () => undefined,
    (caught: Error) => caught,
  );
  const said = error?.message ?? 'accepted';
  // The name is part of what is compared, so that a failure says which row it is.
  if (says === undefined) expect(`${name}: ${said}`).toBe(`${name}: accepted`);
  else expect(`${name}: ${said}`).toContain(says);
}

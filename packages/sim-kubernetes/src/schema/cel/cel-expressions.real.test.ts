import { readFileSync } from 'node:fs';
import { afterAll, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../registry/json.ts';
import { askServer, textOf } from '../ask-server.ts';

const controlPlane = inject('controlPlane');
const file = new URL('../golden/cel-expressions.json', import.meta.url);
const { schema, object, expressions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly schema: JsonObject;
  readonly object: JsonObject;
  readonly expressions: readonly string[];
};
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function send(method: string, path: string, body?: JsonObject): Promise<{ status: number; text: string }> {
  const response = await askServer(controlPlane, method, path, body);
  return { status: response.status, text: textOf(response) };
}

afterAll(async () => {
  await send('DELETE', `${definitions}/expressions.cel.tributary.test`);
});

test('kube-apiserver compiles every expression and finds it true', async () => {
  const rules = expressions.map((rule) => ({ rule }));
  const root = { type: 'object', properties: { spec: { ...schema, 'x-kubernetes-validations': rules } } };
  const created = await send('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'expressions.cel.tributary.test' },
    spec: {
      group: 'cel.tributary.test',
      scope: 'Cluster',
      names: { plural: 'expressions', kind: 'Expression' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root } }],
    },
  });
  expect(created).toMatchObject({ status: 201 });
  const one = { apiVersion: 'cel.tributary.test/v1', kind: 'Expression', metadata: { name: 'a' }, spec: object };
  const ask = async (): ReturnType<typeof send> =>
    send('POST', '/apis/cel.tributary.test/v1/expressions?dryRun=All', one);
  let answer = await ask();
  while (answer.status === 404) answer = await ask();
  expect(answer).toMatchObject({ status: 201 });
});

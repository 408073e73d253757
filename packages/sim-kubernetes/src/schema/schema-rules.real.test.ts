import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Json, JsonObject } from '../registry/json.ts';
import { askServer, textOf } from './ask-server.ts';
import { caseObject, caseSchema, readValidationCases } from './validation-cases.ts';

// The answers that the unit test expects were given by a real server once. Here they are asked for again.
const controlPlane = inject('controlPlane');
const { schemas, cases } = readValidationCases();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const collection = '/apis/schema.tributary.test/v1/cases';

type Answer = { readonly status: number; readonly body: JsonObject };

async function send(method: string, path: string, body?: JsonObject): Promise<Answer> {
  const response = await askServer(controlPlane, method, path, body);
  const text = textOf(response);
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {} };
}

beforeAll(async () => {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: caseSchema(schemas) } }];
  const names = { plural: 'cases', kind: 'Case' };
  const { status } = await send('POST', definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cases.schema.tributary.test' },
    spec: { group: 'schema.tributary.test', scope: 'Cluster', names, versions } as unknown as Json,
  });
  if (status !== 201) throw new Error(`the CRD of the cases was answered with ${status}`);
  // A create that goes through is what says that the schema is in force.
  while ((await send('POST', `${collection}?dryRun=All`, caseObject('str', 'abc'))).status !== 201);
});

afterAll(async () => {
  await send('DELETE', `${definitions}/cases.schema.tributary.test`);
});

let stored = 0;

async function ask(field: string, value: Json, old: Json | undefined): Promise<Answer> {
  if (old === undefined) return send('POST', `${collection}?dryRun=All`, caseObject(field, value));
  stored += 1;
  const metadata = { name: `case-${stored}` };
  const { body } = await send('POST', collection, { ...caseObject(field, old), metadata });
  return send('PUT', `${collection}/${metadata.name}?dryRun=All`, { ...body, spec: { [field]: value } });
}

describe('kube-apiserver still answers as the golden file says', () => {
  for (const { field, value, old, causes, status } of cases) {
    test(`${field}: ${JSON.stringify(value)}`, async () => {
      const answer = await ask(field, value, old);
      const details = answer.body['details'] as { readonly causes?: readonly JsonObject[] } | undefined;
      const sorted = (list: readonly JsonObject[] | undefined): readonly string[] =>
        (list ?? []).map(({ field, message, reason }) => JSON.stringify({ field, message, reason })).toSorted();
      expect(answer.status).toBe(status);
      expect(sorted(details?.causes)).toEqual(sorted(causes));
    });
  }
});

import { readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import type { JsonObject } from '../registry/json.ts';
import { askServer, textOf } from '../schema/ask-server.ts';

// The answers that the unit test expects were given by a real server once. Here they are asked for again.
type Cause = { readonly field: string; readonly reason: string; readonly message: string };
type Case = {
  readonly name: string;
  readonly body: JsonObject;
  readonly code: number;
  readonly causes?: readonly Cause[];
};

const { cases } = JSON.parse(readFileSync(new URL('golden/crd-cases.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};
const controlPlane = inject('controlPlane');

describe('kube-apiserver still answers as the golden file says', () => {
  for (const { name, body, code, causes } of cases) {
    test(name, async () => {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Ignore';
      const response = await askServer(controlPlane, 'POST', path, body);
      const answer = JSON.parse(textOf(response)) as { readonly details?: { readonly causes?: readonly Cause[] } };
      const sorted = (list: readonly Cause[] | undefined): readonly string[] =>
        (list ?? []).map(({ field, reason, message }) => `${field} ${reason} ${message}`).toSorted();
      expect(response.status).toBe(code);
      expect(sorted(answer.details?.causes)).toEqual(sorted(causes));
    });
  }
});

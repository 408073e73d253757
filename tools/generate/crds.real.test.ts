import {
  crdKind,
  createKubeClient,
  createUndiciTransport,
  parseYaml,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import { describe, expect, inject, test } from 'vitest';
import { generateCrds } from './crds.ts';

// The real server also compiles the CEL rules and computes what they may cost.
describe('every generated CRD is accepted by the real API server', () => {
  for (const [path, text] of generateCrds()) {
    test(path, async () => {
      const { url, ca, token } = inject('controlPlane');
      const access = { server: url, tls: { ca: { data: ca } }, auth: staticAuth({ authorization: `Bearer ${token}` }) };
      const transport = createUndiciTransport({ access }, systemAccessDeps({}));
      const crd = parseYaml(text) as AnyObject;
      const answer = await createKubeClient({ transport }).create(crdKind, crd, {
        dryRun: true,
        fieldValidation: 'Strict',
      });
      expect(answer.metadata.name).toBe(crd.metadata.name);
      await transport.close();
    });
  }
});

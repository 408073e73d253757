import { secretKind } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { pagesProjectKind } from './resource.ts';

const head = {
  apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
  kind: 'PagesProject',
  metadata: { name: 'site', namespace: 'default' },
};
const spec = { productionBranch: 'main', cloudflare: {} };
const withVariable = (variable: object): object => ({
  ...spec,
  deploymentConfigs: { production: { environmentVariables: { TOKEN: variable } } },
});

describeKind('a project of Pages', {
  kind: pagesProjectKind,
  object: () => ({ ...head, spec }),
  change: () => ({ spec: { ...spec, buildConfig: { buildCommand: 'make' } } }),
  // The intent is stored before the project is made.
  writes: 5,
});

describeKind('a project of Pages with a secret in clear text', {
  kind: pagesProjectKind,
  object: () => ({ ...head, spec: withVariable({ value: 's3cret', type: 'secret_text' }) }),
  change: () => ({ spec: withVariable({ value: 'other', type: 'secret_text' }) }),
  // The Secret that holds it is the sixth.
  writes: 6,
});

const valueFrom = (key: string): object => withVariable({ valueFrom: { secretKeyRef: { name: 'keys', key } } });

describeKind('a project of Pages with a secret in a Secret', {
  kind: pagesProjectKind,
  prepare: async (world) =>
    world.apply(
      '{ apiVersion: v1, kind: Secret, metadata: { name: keys, namespace: default }, stringData: { a: s3cret, b: other } }',
    ),
  object: () => ({ ...head, spec: valueFrom('a') }),
  change: () => ({ spec: valueFrom('b') }),
  references: [{ kind: secretKind, ref: { namespace: 'default', name: 'keys' } }],
  writes: 5,
});

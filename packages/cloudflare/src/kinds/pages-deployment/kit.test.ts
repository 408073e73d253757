import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { pagesDeploymentKind } from './resource.ts';

const pages = { group: 'networking.cloudflare-operator.io', version: 'v1alpha2', scope: 'Namespaced' } as const;
const pagesProjectKind = { ...pages, kind: 'PagesProject', plural: 'pagesprojects' };
const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const metadata = { name: 'site', namespace: 'default' };
const withFiles = (text: string): object => ({
  projectRef: { name: 'site' },
  directUpload: { manifest: { 'index.html': text } },
  cloudflare: {},
});

describeKind('a deployment of files', {
  kind: pagesDeploymentKind,
  prepare: async (world) => {
    const spec = { productionBranch: 'main', cloudflare: {} };
    await world.apply({ apiVersion, kind: 'PagesProject', metadata, spec } as never);
  },
  object: () => ({
    apiVersion,
    kind: 'PagesDeployment',
    metadata: { ...metadata, name: 'one' },
    spec: withFiles('one'),
  }),
  change: () => ({ spec: withFiles('two') }),
  references: [{ kind: pagesProjectKind, ref: { namespace: 'default', name: 'site' } }],
  // The intent is stored before the deployment is made, and the project lists it in the end.
  writes: 6,
});

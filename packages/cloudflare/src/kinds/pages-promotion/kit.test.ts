import type { Kind, KubeObject } from '@tributary/runtime';
import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { pagesPromotionKind } from './resource.ts';

const pages = { group: 'networking.cloudflare-operator.io', version: 'v1alpha2', scope: 'Namespaced' } as const;
const pagesProjectKind = { ...pages, kind: 'PagesProject', plural: 'pagesprojects' };
type Deployed = KubeObject & { readonly status?: { readonly state?: string } };
const pagesDeploymentKind: Kind<Deployed> = { ...pages, kind: 'PagesDeployment', plural: 'pagesdeployments' };
const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const at = (name: string): object => ({ name, namespace: 'default' });
const promoting = (name: string): object => ({
  projectRef: { name: 'site' },
  deploymentRef: { name },
  cloudflare: {},
});
const deployment = (name: string): object => ({
  apiVersion,
  kind: 'PagesDeployment',
  metadata: { ...at(name), labels: { 'networking.cloudflare-operator.io/managed-by': 'pagesproject' } },
  spec: {
    projectRef: { name: 'site' },
    environment: 'production',
    directUpload: { manifest: { 'index.html': name } },
    cloudflare: {},
  },
});

describeKind('a promotion', {
  kind: pagesPromotionKind,
  prepare: async (world) => {
    const spec = { productionBranch: 'main', cloudflare: {} };
    await world.apply({ apiVersion, kind: 'PagesProject', metadata: at('site'), spec } as never);
    for (const name of ['one', 'two', 'three']) {
      await world.apply(deployment(name) as never);
      await world.waitFor(
        () => world.get(pagesDeploymentKind, { namespace: 'default', name })?.status?.state === 'Succeeded',
      );
    }
  },
  object: () => ({ apiVersion, kind: 'PagesPromotion', metadata: at('back'), spec: promoting('one') }),
  change: () => ({ spec: promoting('two') }),
  references: [
    { kind: pagesDeploymentKind, ref: { namespace: 'default', name: 'one' } },
    { kind: pagesProjectKind, ref: { namespace: 'default', name: 'site' } },
  ],
});

import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { pagesDomainKind } from './resource.ts';

const pages = { group: 'networking.cloudflare-operator.io', version: 'v1alpha2', scope: 'Namespaced' } as const;
const pagesProjectKind = { ...pages, kind: 'PagesProject', plural: 'pagesprojects' };
const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';
const spec = { domain: 'www.example.com', projectRef: { name: 'site' }, cloudflare: {} };

describeKind('a domain of a Pages project', {
  kind: pagesDomainKind,
  prepare: async (world) => {
    const project = { productionBranch: 'main', cloudflare: {} };
    await world.apply({
      apiVersion,
      kind: 'PagesProject',
      metadata: { name: 'site', namespace: 'default' },
      spec: project,
    } as never);
  },
  object: () => ({ apiVersion, kind: 'PagesDomain', metadata: { name: 'www', namespace: 'default' }, spec }),
  change: () => ({ spec: { ...spec, domain: 'web.example.com' } }),
  references: [{ kind: pagesProjectKind, ref: { namespace: 'default', name: 'site' } }],
  writes: 9,
});

import type { Fixture } from './fixture.ts';

const cloudflare = {};
const api = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';
const head = (kind: string, name: string): string =>
  `${api}, kind: ${kind}, metadata: { name: ${name}, namespace: default }`;

const projects = ['site', 'blog']
  .map((name) => `{ ${head('PagesProject', name)}, spec: { productionBranch: main, cloudflare: {} } }`)
  .join('\n---\n');
const deployments = ['one', 'two']
  .map(
    (name) =>
      `{ ${head('PagesDeployment', name)}, spec: { projectRef: { name: site }, environment: production, directUpload: { manifest: { index.html: ${name} } }, cloudflare: {} } }`,
  )
  .join('\n---\n');
const projectRef = { '*projectRef.name': ['site', 'blog'], '*projectRef.cloudflareName': ['site', 'blog'] } as const;

export const pagesFixtures: Readonly<Record<string, Fixture>> = {
  PagesProject: { bases: [{ productionBranch: 'main', cloudflare }] },
  PagesDomain: {
    needs: projects,
    bases: [{ domain: 'www.example.com', projectRef: { name: 'site' }, cloudflare }],
    values: { ...projectRef, domain: ['a.example.com', 'b.example.com'] },
  },
  PagesDeployment: {
    needs: projects,
    bases: [
      {
        projectRef: { name: 'site' },
        environment: 'production',
        directUpload: { manifest: { 'index.html': 'one' } },
        cloudflare,
      },
    ],
    values: projectRef,
  },
  PagesPromotion: {
    needs: `${projects}\n---\n${deployments}`,
    bases: [{ projectRef: { name: 'site' }, deploymentRef: { name: 'one' }, cloudflare }],
    values: { ...projectRef, 'deploymentRef.name': ['one', 'two'] },
  },
};

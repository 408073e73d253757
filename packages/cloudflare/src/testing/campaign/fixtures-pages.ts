import { createHash } from 'node:crypto';
import { tarOf } from '../../targets/pages-deployment/testing/archives.ts';
import type { Fixture } from './fixture.ts';

const cloudflare = {};
const api = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';
const head = (kind: string, name: string, labels = ''): string =>
  `${api}, kind: ${kind}, metadata: { name: ${name}, namespace: default${labels} }`;

const projects = ['site', 'blog']
  .map((name) => `{ ${head('PagesProject', name)}, spec: { productionBranch: main, cloudflare: {} } }`)
  .concat(
    ['built', 'built-too'].map(
      (name) =>
        `{ ${head('PagesProject', name)}, spec: { productionBranch: main, source: { type: github, github: { owner: me, repo: ${name} } }, cloudflare: {} } }`,
    ),
  )
  .join('\n---\n');
// Of several deployments for production the oldest is, but for those of a project's versions.
const managed = ', labels: { networking.cloudflare-operator.io/managed-by: pagesproject';
const deployments = ['one', 'two']
  .map(
    (name) =>
      `{ ${head('PagesDeployment', name, `${managed}, networking.cloudflare-operator.io/version: v-${name} }`)}, spec: { projectRef: { name: site }, environment: production, versionName: v-${name}, directUpload: { manifest: { index.html: ${name} } }, cloudflare: {} } }`,
  )
  .join('\n---\n');
const secrets = ['one', 'two']
  .map(
    (name) =>
      `{ apiVersion: v1, kind: Secret, metadata: { name: ${name}, namespace: default }, stringData: { a1: v, b2: w, accessKeyId: a, secretAccessKey: b, username: a, password: b } }`,
  )
  .join('\n---\n');
const files = ['one', 'two']
  .map(
    (name) =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default }, data: { index.html: ${name} } }`,
  )
  .join('\n---\n');
const projectRef = {
  '*projectRef.name': ['site', 'blog'],
  '*projectRef.cloudflareName': ['site', 'blog'],
  '*projectRef.cloudflareId': ['site', 'blog'],
} as const;

const archive = tarOf({ 'a1/b2/index.html': 'Hi', 'b2/a1/index.html': 'Hi' });
const sumOf = (algorithm: string): string => createHash(algorithm).update(archive).digest('hex');

/** Whatever is asked for is there: a tar, or the image that it is the only layer of. */
const download: NonNullable<Fixture['download']> = async (url) =>
  url.includes('/manifests/') ? Response.json({ layers: [{ digest: 'sha256:a' }] }) : new Response(archive);

const sourceValues = {
  '*http.url': ['https://files.example.org/a.tar', 'https://files.example.org/b.tar'],
  '*http.urlTemplate': ['https://files.example.org/{{.Version}}.tar', 'https://files.example.org/x/{{.Version}}.tar'],
  '*http.insecureSkipVerify': [true, true],
  '*timeout': ['30s', '40s'],
  '*endpoint': ['https://minio.example.org', 'https://other.example.org'],
  '*image': ['registry.example.org/a:1', 'registry.example.org/b:1'],
  '*repository': ['registry.example.org/a', 'registry.example.org/b'],
  '*headersSecretRef': ['one', 'two'],
  '*credentialsSecretRef': ['one', 'two'],
  '*SecretRef.name': ['one', 'two'],
  '*archive.type': ['tar', 'none'],
  '*archiveType': ['tar', 'none'],
  '*archive.subPath': ['a1', 'b2'],
  '*archive.stripComponents': [1, 1],
  '*checksum.algorithm': ['sha256', 'sha256'],
  '*checksum.value': [sumOf('sha256'), sumOf('sha256').toUpperCase()],
} as const;
const tar = { type: 'tar' };
const http = { http: { url: 'https://files.example.org/x.tar' } };
const sources = [
  http,
  { s3: { bucket: 'x', key: 'x.tar', region: 'eu' } },
  { oci: { image: 'registry.example.org/x:1' } },
];
const byHttp = { type: 'http', http: { urlTemplate: 'https://files.example.org/{{.Version}}', archiveType: 'tar' } };
const base = { productionBranch: 'main', revisionHistoryLimit: 1, cloudflare };
const byPolicy = (policy: string, fields: object): object => ({ policy, [policy]: fields });
const management = (sourceTemplate: object): readonly object[] => [
  byPolicy('targetVersion', { version: 'v1', sourceTemplate }),
  byPolicy('declarativeVersions', { versions: ['v1'], sourceTemplate }),
  byPolicy('gitops', { productionVersion: 'v1', requirePreviewValidation: false, sourceTemplate }),
  byPolicy('gitopsLatest', { version: 'v1', sourceTemplate }),
];

/** What was deployed stays deployed, and is told of. */
const past = [
  'pages_deployments',
  'pages_assets',
  'deploymentHistory',
  'lastSuccessfulDeploymentId',
  'previousDeployment',
] as const;

/** A project that is not of the cluster, with two deployments. */
const remote: NonNullable<Fixture['remote']> = [
  ['/pages/projects', { name: 'there', production_branch: 'main' }],
  ['/pages/projects/there/deployments', { branch: 'main', manifest: '{}' }],
  ['/pages/projects/there/deployments', { branch: 'main', manifest: '{}' }],
];

export const pagesFixtures: Readonly<Record<string, Fixture>> = {
  PagesProject: {
    needs: secrets,
    download,
    past,
    // A date is given to every project; what was deployed as a version is served until something else is.
    keeps: [
      'deploymentConfigs.preview.compatibilityDate',
      'deploymentConfigs.production.compatibilityDate',
      'versionManagement',
      'versions',
      'productionTarget',
    ],
    apart: true,
    // A project keeps its name, and its way to its files.
    once: ['name', 'source.type', 'source.github.owner', 'source.github.repo'],
    bases: [
      base,
      { ...base, source: { type: 'github', github: { owner: 'me', repo: 'it' } } },
      { ...base, source: { type: 'gitlab', gitlab: { owner: 'me', repo: 'it' } } },
      ...management(byHttp).map((versionManagement) => ({ ...base, versionManagement })),
      ...sources.map((source) => {
        const versions = [{ name: 'v1', source: { source, archive: tar } }];
        return { ...base, versionManagement: byPolicy('fullVersions', { versions }) };
      }),
      { ...base, versions: [{ name: 'v1', source: { source: http, archive: tar } }] },
    ],
    values: {
      ...sourceValues,
      name: ['first-project', 'second-project'],
      'source.type': ['github', 'gitlab'],
      '*compatibilityDate': ['2026-01-02', '2026-01-03'],
      '*placement.mode': ['smart', 'smart'],
      '*secretKeyRef.name': ['one', 'two'],
      '*secretKeyRef.key': ['a1', 'b2'],
      '*policy': ['none', 'none'],
      '*versionManagement.type': ['targetVersion', 'targetVersion'],
      '*productionTarget': ['latest', 'latest'],
      '*metadata': [{ branch: 'a1', commitHash: 'a1' }, { branch: 'b2' }],
      adoptionPolicy: ['MustNotExist', 'IfExists'],
      '*.name': ['a1', 'b2'],
    },
  },
  PagesDomain: {
    needs: projects,
    bases: [{ domain: 'www.example.com', projectRef: { name: 'site' }, cloudflare }],
    values: {
      ...projectRef,
      domain: ['a.example.com', 'b.example.com'],
      zoneID: ['$zone:example.com', '$zone:example.com'],
    },
  },
  PagesDeployment: {
    needs: `${projects}\n---\n${secrets}\n---\n${files}`,
    remote,
    download,
    past,
    bases: [
      { projectRef: { cloudflareName: 'there' }, action: 'rollback', targetDeploymentId: '$made:1', cloudflare },
      {
        projectRef: { name: 'site' },
        environment: 'production',
        directUpload: { manifest: { 'index.html': 'one' } },
        cloudflare,
      },
      { projectRef: { name: 'built' }, source: { type: 'git', git: { branch: 'x' } }, cloudflare },
      ...sources.map((source) => ({
        projectRef: { name: 'site' },
        source: { type: 'directUpload', directUpload: { source, archive: tar } },
        cloudflare,
      })),
      ...sources.map((source) => ({
        projectRef: { name: 'site' },
        directUpload: { source, archive: tar },
        cloudflare,
      })),
    ],
    values: {
      ...projectRef,
      ...sourceValues,
      action: ['retry', 'rollback'],
      targetDeploymentId: ['$made:1', '$made:2'],
      'source.type': ['git', 'git'],
      'source.git.commitSha': ['abcdef0', 'abcdef1'],
      'directUpload.manifestConfigMapRef': ['one', 'two'],
      'directUpload.manifest': [{ 'index.html': 'a' }, { 'index.html': 'b' }],
    },
  },
  PagesPromotion: {
    needs: `${projects}\n---\n${deployments}`,
    past,
    remote,
    bases: [
      { projectRef: { name: 'site' }, deploymentRef: { name: 'one' }, cloudflare },
      { projectRef: { cloudflareName: 'there' }, deploymentRef: { deploymentId: '$made:1' }, cloudflare },
    ],
    values: {
      ...projectRef,
      '*projectRef.cloudflareName': ['site', 'site'],
      '*projectRef.cloudflareId': ['site', 'site'],
      '*projectRef.name': ['site', 'site'],
      'deploymentRef.name': ['two', 'one'],
      'deploymentRef.versionName': ['v-one', 'v-two'],
      'deploymentRef.deploymentId': ['$made:1', '$made:2'],
    },
  },
};

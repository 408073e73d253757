import { expect, test } from 'vitest';
import { pagesDeploymentKind } from './resource.ts';
import type { PagesDeployment } from './resource.ts';
import { toRequest } from './to-request.ts';

const base = { projectRef: { name: 'site' }, cloudflare: {} };
const upload = (fields: object): object => ({ source: { type: 'directUpload', directUpload: fields } });
const s3 = { source: { s3: { bucket: 'b', key: 'k' } } };

function deploymentOf(fields: object): PagesDeployment {
  const spec = pagesDeploymentKind.parseSpec({ ...base, ...fields });
  if (!spec.ok) throw new Error(spec.message);
  return { metadata: { name: 'one', namespace: 'ns', uid: 'u' }, spec: spec.value };
}

const requestOf = (fields: object): ReturnType<typeof toRequest> =>
  toRequest(deploymentOf(fields), { operatorNamespace: 'system' });

test.each([
  ['nothing is the branch of production', {}, 'production', {}],
  ['a branch is a preview', { branch: 'x' }, 'preview', { branch: 'x', description: 'git:x' }],
  [
    'the newer form comes first',
    { branch: 'x', source: { type: 'git', git: { branch: 'y', commitSha: 'abcdef0' } } },
    'preview',
    { branch: 'y', commitHash: 'abcdef0', description: 'git:y@abcdef0' },
  ],
  ['files are a preview of that name', upload(s3), 'preview', { branch: 'preview', description: 'directUpload:s3' }],
  ['files for production have no branch', { environment: 'production', ...upload(s3) }, 'production', {}],
  [
    'what is known of the files is told',
    upload({ ...s3, branch: 'b', deploymentMetadata: { commitHash: 'c', commitMessage: 'm', commitDirty: false } }),
    'preview',
    { branch: 'b', commitHash: 'c', commitMessage: 'm', commitDirty: false },
  ],
  [
    'a retry',
    { action: 'retry', targetDeploymentId: 'd', purgeBuildCache: true },
    '',
    { source: { type: 'retry', deploymentId: 'd' }, purgeBuildCache: true },
  ],
])('%s', (_name, fields, environment, config) => {
  const request = requestOf(fields);
  expect(request).toMatchObject({ ok: true, environment, config });
  // What is absent is not there at all: an object in the cluster has nothing else to be compared with.
  expect(request).toStrictEqual(JSON.parse(JSON.stringify(request)));
  expect(request.ok && 'branch' in request.config).toBe('branch' in config);
});

test('what may be a secret goes into a Secret beside the object', () => {
  const http = { url: 'https://x.example.org/a?sig=s3cret', headers: { Authorization: 's3cret' }, timeout: '30s' };
  const request = requestOf(upload({ source: { http } }));
  if (!request.ok) throw new Error(request.message);
  const own = { namespace: 'ns', name: 'pagesdeployment-one' };
  expect(request.config.source).toEqual({ type: 'http', url: 'https://x.example.org/a', timeoutMs: 30_000, own });
  expect(request.child?.object).toMatchObject({ metadata: own, data: { query: btoa('?sig=s3cret') } });
});

test.each([
  ['spec.targetDeploymentId', { action: 'retry' }],
  ['spec.source.git.branch', { environment: 'preview' }],
  ['spec.source.directUpload', { source: { type: 'directUpload' } }],
  ['exactly one of http, s3 and oci', upload({ source: {} })],
  ['exactly one of http, s3 and oci', upload({ source: { ...s3.source, oci: { image: 'x' } } })],
  [
    'spec.source.directUpload.source.http.insecureSkipVerify',
    upload({ source: { http: { url: 'https://x', insecureSkipVerify: true } } }),
  ],
  [
    'spec.directUpload.source.http.insecureSkipVerify',
    { directUpload: { source: { http: { url: 'https://x', insecureSkipVerify: true } } } },
  ],
  ['timeout', upload({ source: { http: { url: 'https://x', timeout: 'soon' } } })],
  ['manifestConfigMapRef', { directUpload: { manifestConfigMapRef: 'x' } }],
])('is refused by name: %s', (part, fields) => {
  const request = requestOf(fields);
  expect(request.ok ? '' : request.message).toContain(part);
});

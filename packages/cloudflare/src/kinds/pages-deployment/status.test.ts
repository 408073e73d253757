import { expect, test } from 'vitest';
import type { View } from '../../engine/l2-controllers/contributor.ts';
import { planStatus } from '../../engine/l2-controllers/plan-status.ts';
import { pagesDeploymentKind } from './resource.ts';
import type { PagesDeployment } from './resource.ts';
import { toStatus } from './status.ts';

const told = {
  deploymentId: 'a',
  url: 'https://a.site.pages.dev',
  branchUrl: 'https://preview.site.pages.dev',
  environment: 'preview',
  stage: 'deploy',
  sourceDescription: 'directUpload:s3',
  startedAt: '2026-01-05T12:00:00Z',
  finishedAt: '2026-01-05T12:01:00Z',
};

/** The patch of an object that has told of a finished deployment. */
function patchOf(fields: object, outputs: object, config: object): unknown {
  const spec = pagesDeploymentKind.parseSpec({ projectRef: { name: 'site' }, cloudflare: {}, ...fields });
  if (!spec.ok) throw new Error(spec.message);
  const object: PagesDeployment = { metadata: { name: 'one' }, spec: spec.value };
  const contribution = { config, syncState: { key: { project: 'site' } } };
  const parts = [{ synced: true, outputs, contribution }];
  const view = { state: 'Synced', losses: [], ready: { message: '' }, parts } as unknown as View;
  const planned = planStatus({
    object: { ...object, status: told } as PagesDeployment,
    fields: toStatus(object, view),
    ready: undefined,
    now: 0,
  });
  return planned.find((step) => step.do === 'write-status')?.patch;
}

test('one that is shown again has no stage, source and times of the making', () => {
  const outputs = { url: 'https://site.pages.dev', hashUrl: 'https://b.site.pages.dev', production: 'b' };
  const patch = patchOf({ action: 'rollback', targetDeploymentId: 'b' }, outputs, { deploymentId: 'b' });
  expect(patch).toMatchObject({
    deploymentId: 'b',
    isCurrentProduction: true,
    branchUrl: null,
    stage: null,
    sourceDescription: null,
    startedAt: null,
    finishedAt: null,
  });
});

test('one that is under way has not the end of the one before', () => {
  const outputs = {
    deploymentId: 'b',
    url: 'x',
    environment: 'preview',
    stage: 'build',
    startedAt: '2026-01-06T12:00:00Z',
  };
  const patch = patchOf({ branch: 'x' }, outputs, { description: 'git:x' });
  expect(patch).toMatchObject({ startedAt: '2026-01-06T12:00:00Z', finishedAt: null, stage: 'build' });
});

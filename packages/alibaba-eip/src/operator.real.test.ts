import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, isNotFound, parseYaml, systemAccessDeps } from '@tributary/runtime';
import { startSimAlibaba } from '@tributary/sim-alibaba';
import type { SimAlibaba } from '@tributary/sim-alibaba';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startControlPlane } from '../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../tools/control-plane/start-control-plane.ts';
import { eipKind } from './eip/resource.ts';
import type { EipObject, EipSpec } from './eip/resource.ts';
import { expectSpecRules } from './eip/testing/expect-spec-rules.ts';
import { parseEipFlags } from './eip-flags.ts';
import { runEipOperator } from './main.ts';
import { isReady, messageOf, says } from './testing/conditions.ts';
import { installOnRealCluster } from './testing/real-cluster.ts';
import type { RealCluster } from './testing/real-cluster.ts';

// The whole program as it is shipped: flags, files, lease, signed HTTP; its own account and no more rights than that has.
let plane: ControlPlane;
let cluster: RealCluster;
let sim: SimAlibaba;
let stop: AbortController;
let running: Promise<void>;
const logged: string[] = [];
let brokenRules: unknown;

beforeAll(async () => {
  // One of its own: it installs the CRD, which other tests try on a server that does not have it.
  plane = await startControlPlane();
  cluster = await installOnRealCluster(plane);
  sim = await startSimAlibaba({
    quotas: { eips: 1000 },
    delays: { releasingMs: 300, bindingMs: 300, unbindingMs: 300 },
  });
  const [config, credential] = [join(cluster.folder, 'config.yaml'), join(cluster.folder, 'secret.yaml')];
  writeFileSync(config, `regionID: ${sim.regionId}\nvpcID: unused\ncontrollers: [eip]\nkubeClientQPS: 200\n`);
  writeFileSync(credential, `accessKeyID: ${sim.accessKeyId}\naccessKeySecret: ${sim.accessKeySecret}\nregionID: x\n`);
  const flags = parseEipFlags([
    '--leader-elect',
    `--config=${config}`,
    `--credential=${credential}`,
    '--credential-mode=file',
    `--kubeconfig=${cluster.kubeconfig}`,
    `--endpoint=${sim.url}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=127.0.0.1:0',
    '--sync-period=3s',
    '--log-level=debug',
  ]);
  stop = new AbortController();
  await expectSpecRules(cluster.client).catch((error: unknown) => (brokenRules = error));
  const log = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  running = runEipOperator(flags, { files: systemAccessDeps({ POD_NAME: 'real-test' }), log }, stop.signal);
});
afterAll(async () => {
  stop.abort();
  await running;
  await sim.stop();
  await cluster.close();
  await plane.stop();
});

const ref = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });
const get = async (name: string): Promise<EipObject> => cluster.client.get(eipKind, ref(name));
const create = async (name: string, spec: Partial<EipSpec>, metadata = {}): Promise<EipObject> =>
  cluster.client.create(eipKind, { metadata: { ...ref(name), ...metadata }, spec } as EipObject);
const patch = async (name: string, body: object): Promise<EipObject> =>
  cluster.client.patch(eipKind, ref(name), { type: 'merge', body });
const until = async (name: string, isSo: (object: EipObject) => boolean): Promise<EipObject> => {
  await expect.poll(async () => isSo(await get(name)), { timeout: 60_000, interval: 50 }).toBe(true);
  return get(name);
};
const untilGone = async (name: string): Promise<void> => {
  const look = async (): Promise<boolean> => get(name).then(() => false, isNotFound);
  await expect.poll(look, { timeout: 60_000, interval: 50 }).toBe(true);
};
const idOf = ({ status }: EipObject): string => status?.allocationID ?? '';

describe('on a real API server', () => {
  test('the rules of the CRD hold', () => expect(brokenRules).toBe(undefined));

  test('an EIP is created, changed, tagged, moved into a package and out again, and released', async () => {
    await create('life', { bandwidth: '5', tags: { team: 'edge', empty: '' } });
    const made = await until('life', isReady);
    expect(made.spec.allocationID).toBe(idOf(made));
    expect(sim.state.tags(idOf(made))).toMatchObject({
      team: 'edge',
      empty: '',
      'eip-operator/object': 'default/life',
    });
    await patch('life', { spec: { bandwidth: '20', name: 'life', tags: { empty: null } } });
    await until('life', (eip) => isReady(eip) && eip.status?.bandwidth === '20' && eip.status.name === 'life');
    expect(sim.state.tags(idOf(made))).not.toHaveProperty('empty');
    const packageID = sim.dashboard.createPackage();
    await patch('life', { spec: { bandwidthPackageID: packageID } });
    await until('life', (eip) => isReady(eip) && eip.status?.bandwidthPackageID === packageID);
    await expect.poll(() => sim.state.eip(idOf(made))?.membership?.relation).toBe('BINDED');
    await cluster.client.delete(eipKind, ref('life'));
    await untilGone('life');
    expect(sim.state.eip(idOf(made))).toBe(undefined);
  });

  test('drift is mended within a period', async () => {
    const made = await create('drift', { bandwidth: '5', tags: { team: 'edge' } }).then(async () =>
      until('drift', isReady),
    );
    sim.dashboard.change(idOf(made), { bandwidth: 99 });
    sim.dashboard.retag(idOf(made), { team: 'other' });
    await expect.poll(() => sim.state.eip(idOf(made))?.bandwidth, { timeout: 20_000 }).toBe(5);
    await expect.poll(() => sim.state.tags(idOf(made))?.['team'], { timeout: 20_000 }).toBe('edge');
  });

  test('the strategies: Never keeps, an adopted address stays, and goes where the annotation says so', async () => {
    await create('never', { releaseStrategy: 'Never' });
    const kept = idOf(await until('never', isReady));
    const [stays, goes] = [sim.dashboard.allocate(), sim.dashboard.allocate()];
    await create('stays', { allocationID: stays });
    await create('goes', { allocationID: goes }, { annotations: { 'eip.alibabacloud.com/release-adopted': 'true' } });
    await until('stays', isReady);
    await until('goes', isReady);
    for (const name of ['never', 'stays', 'goes']) await cluster.client.delete(eipKind, ref(name));
    for (const name of ['never', 'stays', 'goes']) await untilGone(name);
    expect([kept, stays, goes].map((id) => sim.state.eip(id) !== undefined)).toEqual([true, true, false]);
  });

  test('the consumer’s way: wait for the id, bind, delete while in use, unbind', async () => {
    await create('nlb', { bandwidth: '5', isp: 'BGP' });
    const id = idOf(await until('nlb', (eip) => idOf(eip) !== ''));
    sim.dashboard.associate(id, { instanceId: 'nlb-1', instanceType: 'NlbInstance' });
    await cluster.client.delete(eipKind, ref('nlb'));
    const waiting = await until('nlb', (eip) => messageOf(eip).includes('NlbInstance nlb-1'));
    expect(says(waiting, 'Progressing')).toBe('True/Deleting');
    sim.dashboard.unassociate(id);
    await untilGone('nlb');
    expect(sim.state.eip(id)).toBe(undefined);
  });

  test('an object of the Go operator is taken over without a write to the provider', async () => {
    const id = sim.dashboard.allocate({ Bandwidth: '5', Description: 'created by alibabacloud-eip-operator' });
    const seq = sim.journal.calls().at(-1)?.seq ?? 0;
    await create('old', { allocationID: id, bandwidth: '5' }, { finalizers: ['eip.alibabacloud.com/finalizer'] });
    await until('old', isReady);
    const aboutIt = sim.journal
      .calls({ afterSeq: seq, write: true })
      .filter(({ params }) => JSON.stringify(params).includes(id));
    expect(aboutIt).toEqual([]);
    await cluster.client.delete(eipKind, ref('old'));
    await untilGone('old');
    expect(sim.state.eip(id)).toBe(undefined);
  });

  test('every example is accepted as strictly as kubectl would, and becomes Ready', async () => {
    const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'alibaba-eip');
    sim.dashboard.createPackage({ id: 'cbwp-example' });
    const names: string[] = [];
    for (const file of globSync('*.yaml', { cwd: folder }).toSorted()) {
      const text = readFileSync(join(folder, file), 'utf8');
      // Addresses to adopt have whatever id they have.
      const adopted = text.replace(/eip-example[a-z-]*/, () => sim.dashboard.allocate());
      const object = parseYaml(adopted) as EipObject;
      await cluster.client.create(eipKind, object, { fieldValidation: 'Strict' });
      names.push(object.metadata.name ?? '');
    }
    expect(names.length).toBe(7);
    for (const name of names) await until(name, isReady);
  });

  test('no line of the log holds the secret', () => {
    expect(logged.length).toBeGreaterThan(3);
    expect(logged.filter((line) => line.includes(sim.accessKeySecret))).toEqual([]);
  });
});

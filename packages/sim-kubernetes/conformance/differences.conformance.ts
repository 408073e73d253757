import { afterAll, expect, test } from 'vitest';
import { differences, omittedResources } from './differences.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api, server } = useServer();

test.each(differences)('the difference $name has a reason', ({ reason }) => {
  expect(reason).toMatch(/^[A-Z].{10,}\.$/i);
});

test('what is named as omitted is served by the real server and not by the embedded one', async () => {
  const { body } = await api.get('/apis/admissionregistration.k8s.io/v1');
  const served = body.resources.map((each: Loose) => each.name);
  const found = omittedResources.filter((resource) => served.includes(resource));
  expect(found).toEqual(server().name === 'real' ? omittedResources : []);
});

afterAll(() => {
  const lines = differences.map(({ name, reason }) => `  ${name}: ${reason}\n`);
  process.stdout.write(`Named differences of the embedded server:\n${lines.join('')}`);
});

import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { TestSim } from '../../testing/start-test-sim.ts';

const phase = 'http_request_dynamic_redirect';

function redirect(ref: string, to = 'https://example.com/new'): Record<string, unknown> {
  const from_value = { target_url: { value: to }, status_code: 301 };
  return {
    ref,
    action: 'redirect',
    expression: `http.request.uri.path eq "/${ref}"`,
    action_parameters: { from_value },
  };
}

const entry = ({ free }: TestSim): string => `/zones/${free}/rulesets/phases/${phase}/entrypoint`;

type Seen = { readonly id: string; readonly ref: string; readonly version: string };
const seen = (result: { readonly rules?: readonly Seen[] }): readonly (readonly string[])[] =>
  (result.rules ?? []).map(({ id, ref, version }) => [id, ref, version]);

describe('the entry point of a phase', () => {
  test('is not found (10003) until the first PUT makes it, and every PUT is a new version', async () => {
    const world = await startTestSim();
    expect(await world.call('GET', entry(world))).toMatchObject({ status: 404, codes: [10_003] });
    const first = await world.call('PUT', entry(world), { rules: [redirect('a')] });
    expect(first.result).toMatchObject({ kind: 'zone', phase, version: '1', rules: [{ ref: 'a', enabled: true }] });
    const second = await world.call('PUT', entry(world), { rules: [redirect('a')] });
    expect(second.result).toMatchObject({ id: first.result.id, version: '2' });
  });

  test('keeps the id of a rule by its ref, and raises its version only when it says something else', async () => {
    const world = await startTestSim();
    const { result: before } = await world.call('PUT', entry(world), { rules: [redirect('a'), redirect('b')] });
    const { result: after } = await world.call('PUT', entry(world), {
      rules: [redirect('b', 'https://example.com/other'), redirect('a')],
    });
    const [a, b] = before.rules as Seen[];
    expect(seen(after)).toEqual([
      [b?.id, 'b', '2'],
      [a?.id, 'a', '1'],
    ]);
  });

  test('that is put back as it was read leaves every rule as it was, also what it says by saying nothing', async () => {
    const world = await startTestSim();
    const firewall = entry(world).replace(phase, 'http_request_firewall_custom');
    const { result } = await world.call('PUT', firewall, { rules: [{ action: 'block', expression: 'true' }] });
    const { result: after } = await world.call('PUT', firewall, { rules: result.rules });
    expect(after.rules).toEqual(result.rules);
  });

  test('points at the rule that it refuses', async () => {
    const world = await startTestSim();
    const rules = [redirect('a'), { ...redirect('b'), expression: '(' }];
    const { body } = world.sim.dashboard('PUT', entry(world), { rules });
    expect(body).toMatchObject({ errors: [{ code: 20_127, source: { pointer: '/rules/1/expression' } }] });
  });

  test('gives a rule without a ref its id as one, and a new one at every PUT', async () => {
    const world = await startTestSim();
    const { ref: _ref, ...anonymous } = redirect('a');
    const { result: first } = await world.call('PUT', entry(world), { rules: [anonymous] });
    const [one] = first.rules as Seen[];
    expect(one?.ref).toBe(one?.id);
    const { result: second } = await world.call('PUT', entry(world), { rules: [anonymous] });
    expect((second.rules as Seen[])[0]?.id).not.toBe(one?.id);
  });

  test('is written as a whole or not at all: one bad rule refuses the PUT', async () => {
    const world = await startTestSim();
    await world.call('PUT', entry(world), { rules: [redirect('a')] });
    const bad = { ...redirect('b'), expression: '(http.host eq "x"' };
    expect((await world.call('PUT', entry(world), { rules: [redirect('c'), bad] })).codes).toEqual([20_127]);
    expect(seen((await world.call('GET', entry(world))).result).map(([, ref]) => ref)).toEqual(['a']);
  });

  const refused: readonly (readonly [string, unknown, number])[] = [
    ['an action of another phase', { ...redirect('a'), action: 'block' }, 20_016],
    ['an empty expression', { ...redirect('a'), expression: ' ' }, 20_127],
    ['an operator that the plan lacks', { ...redirect('a'), expression: 'http.host starts_with "x"' }, 20_127],
    ['a field that nobody knows', { ...redirect('a'), colour: 'red' }, 20_018],
    ['something that is no rule', 'x', 20_006],
    ['the id of no rule', { ...redirect('a'), id: 'f'.repeat(32) }, 10_003],
  ];
  for (const [what, rule, code] of refused) {
    test(`refuses ${what} with ${code}`, async () => {
      const world = await startTestSim();
      expect((await world.call('PUT', entry(world), { rules: [rule] })).codes).toEqual([code]);
    });
  }

  test('refuses two rules with one ref, more rules than the plan has, and an unknown phase', async () => {
    const world = await startTestSim();
    expect((await world.call('PUT', entry(world), { rules: [redirect('a'), redirect('a')] })).codes).toEqual([20_217]);
    const many = Array.from({ length: 11 }, (_, index) => redirect(`r${index}`));
    expect((await world.call('PUT', entry(world), { rules: many })).codes).toEqual([20_217]);
    expect((await world.call('PUT', entry(world).replace(world.free, world.paid), { rules: many })).status).toBe(200);
    expect((await world.call('PUT', entry(world).replace(phase, 'http_nothing'), { rules: [] })).codes).toEqual([
      20_010,
    ]);
  });

  test('without rules has no such field, and with a rate limit needs the data centre among its characteristics', async () => {
    const world = await startTestSim();
    expect(Object.keys((await world.call('PUT', entry(world), { rules: [] })).result)).not.toContain('rules');
    const limits = entry(world).replace(phase, 'http_ratelimit');
    const rule = { action: 'block', expression: 'true', ratelimit: { characteristics: ['ip.src'], period: 10 } };
    expect((await world.call('PUT', limits, { rules: [rule] })).codes).toEqual([20_155]);
    const right = { ...rule, ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 10 } };
    expect((await world.call('PUT', limits, { rules: [right] })).result.rules[0]).toMatchObject({
      logging: { enabled: true },
    });
  });
});

describe('single rules', () => {
  test('are added, moved, changed and dropped; each answer is the whole ruleset', async () => {
    const world = await startTestSim();
    const { result } = await world.call('PUT', entry(world), { rules: [redirect('a'), redirect('b')] });
    const rules = `/zones/${world.free}/rulesets/${result.id}/rules`;
    const [a, b] = result.rules as Seen[];
    const refs = (answer: { result: { rules?: Seen[] } }): string[] =>
      (answer.result.rules ?? []).map(({ ref }) => ref);
    expect(refs(await world.call('POST', rules, redirect('c')))).toEqual(['a', 'b', 'c']);
    expect(refs(await world.call('POST', rules, { ...redirect('d'), position: { index: 1 } }))).toEqual([
      'd',
      'a',
      'b',
      'c',
    ]);
    expect(refs(await world.call('PATCH', `${rules}/${a?.id}`, { position: { after: b?.id } }))).toEqual([
      'd',
      'b',
      'a',
      'c',
    ]);
    expect(refs(await world.call('PATCH', `${rules}/${a?.id}`, { position: { before: '' } }))).toEqual([
      'a',
      'd',
      'b',
      'c',
    ]);
    const edited = await world.call('PATCH', `${rules}/${b?.id}`, redirect('b', 'https://example.com/x'));
    expect(edited.result.rules[2]).toMatchObject({ id: b?.id, version: '2' });
    expect(refs(await world.call('DELETE', `${rules}/${a?.id}`))).toEqual(['d', 'b', 'c']);
    expect((await world.call('DELETE', `${rules}/${a?.id}`)).codes).toEqual([10_003]);
    expect((await world.call('POST', rules, redirect('b'))).codes).toEqual([20_217]);
  });

  test('a change is the whole new definition, not a merge', async () => {
    const world = await startTestSim();
    const { result } = await world.call('PUT', entry(world), { rules: [{ ...redirect('a'), description: 'old' }] });
    const path = `/zones/${world.free}/rulesets/${result.id}/rules/${result.rules[0].id}`;
    const { result: after } = await world.call('PATCH', path, redirect('a'));
    expect(after.rules[0].description).toBeUndefined();
  });
});

test('rulesets are listed without their rules, found by id, and deleted', async () => {
  const world = await startTestSim();
  const { result } = await world.call('PUT', entry(world), { rules: [redirect('a')], description: 'ours' });
  const all = `/zones/${world.free}/rulesets`;
  expect((await world.call('GET', all)).result).toMatchObject([{ id: result.id, description: 'ours', phase }]);
  expect((await world.call('GET', all)).result[0].rules).toBeUndefined();
  expect((await world.call('GET', `${all}/${result.id}`)).result.rules).toHaveLength(1);
  expect((await world.call('POST', all, { phase, kind: 'zone', name: 'x', rules: [] })).codes).toEqual([20_217]);
  expect((await world.call('DELETE', `${all}/${result.id}`)).status).toBe(204);
  expect((await world.call('GET', `${all}/${result.id}`)).codes).toEqual([10_003]);
});

test('accounts have phases of their own', async () => {
  const world = await startTestSim();
  const path = `${world.account}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const rule = { action: 'log', expression: 'true' };
  expect((await world.call('PUT', path, { rules: [rule] })).result).toMatchObject({ kind: 'root' });
  expect(await world.call('GET', entry(world))).toMatchObject({ status: 404 });
});

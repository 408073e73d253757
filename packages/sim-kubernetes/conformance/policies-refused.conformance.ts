import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// What is wrong with admission policies and their bindings is told when they are written.

const { api } = useServer();
const golden = useGolden('policies-refused');
const root = '/apis/admissionregistration.k8s.io/v1';
const policies = `${root}/validatingadmissionpolicies`;
const bindings = `${root}/validatingadmissionpolicybindings`;
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };

const full = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
const odd: Readonly<Record<string, readonly [string, Loose]>> = {
  'a policy with defaults': [policies, full],
  'a policy of nothing': [policies, {}],
  'a policy without rules': [policies, { ...full, matchConstraints: {} }],
  'a policy with odd rules': [
    policies,
    {
      ...full,
      matchConstraints: {
        matchPolicy: 'Odd',
        resourceRules: [{ ...rule, operations: ['READ'], resourceNames: ['a', 'a', 'b/c'] }],
      },
    },
  ],
  'a policy with odd parts': [
    policies,
    {
      ...full,
      failurePolicy: 'Perhaps',
      paramKind: { apiVersion: 'A/1', kind: 'a b' },
      validations: [
        { expression: ' ' },
        { expression: 'true', message: ' ', messageExpression: ' ', reason: 'Odd' },
        { expression: 'true', message: 'a\nb' },
      ],
      variables: [
        { name: 'a b', expression: '1' },
        { name: '', expression: '' },
      ],
      matchConditions: [{ name: '', expression: '' }],
      auditAnnotations: [
        { key: 'a b', valueExpression: '' },
        { key: 'c', valueExpression: "'x'" },
        { key: 'c', valueExpression: "'x'" },
      ],
    },
  ],
  'a binding': [bindings, { policyName: 'a', validationActions: ['Deny'], matchResources: { resourceRules: [rule] } }],
  'a binding of nothing': [bindings, {}],
  'a binding with odd parts': [
    bindings,
    {
      policyName: 'A_B',
      validationActions: ['Deny', 'Warn', 'Odd', 'Deny'],
      paramRef: { name: 'a/b', selector: {}, parameterNotFoundAction: 'Odd' },
    },
  ],
  'a binding with half a parameter': [bindings, { policyName: 'a', validationActions: ['Audit'], paramRef: {} }],
};

describe('a create of', () => {
  test.each(Object.entries(odd))('%s', async (key, [path, spec]) => {
    const answer = await api.post(path, { metadata: { name: 'tried' }, spec }, { dryRun: 'All' });
    expect(maskedAnswer(answer)).toEqual(golden(`create of ${key}`));
  });

  test('an expression that does not compile is refused at its place', async () => {
    const validations = [
      { expression: 'object.spec. == 1' },
      { expression: "'text'" },
      { expression: 'params.a == 1' },
    ];
    const answer = await api.post(
      policies,
      { metadata: { name: 'tried' }, spec: { ...full, validations } },
      { dryRun: 'All' },
    );
    const causes = answer.body.details.causes.map(({ field, reason }: Loose) => ({ field, reason }));
    expect({ status: answer.status, causes }).toEqual(golden('does not compile'));
  });
});

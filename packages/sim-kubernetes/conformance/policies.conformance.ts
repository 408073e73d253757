import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { followAudit } from './kit/audit.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createNamespace, eventually, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

// ValidatingAdmissionPolicy: expressions about requests, put into force by bindings.

const { api, server } = useServer();
const golden = useGolden('policies');
const root = '/apis/admissionregistration.k8s.io/v1';
const policies = `${root}/validatingadmissionpolicies`;
const bindings = `${root}/validatingadmissionpolicybindings`;
let namespace = '';
let account: Account;
let name = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
  account = await createAccount(api, namespace);
  await api.patch(`/api/v1/namespaces/${namespace}`, 'merge', { metadata: { labels: { tier: 'gold' } } });
});

const maps = (): string => `/api/v1/namespaces/${namespace}/configmaps`;
const map = (data: Loose, more: Loose = {}): Loose => ({ metadata: { name: 'tried', ...more }, data });
const names = (): Record<string, string> => ({
  [namespace]: '<namespace>',
  [name]: '<policy>',
  [account.name]: '<account>',
});
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] };
const inNamespace = (): Loose => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } });
// By this one sees that a policy is in force: it takes a while on the real server.
const probe = { expression: "!has(object.data) || !('probe' in object.data)", message: 'probed' };

async function enforce(spec: Loose, binding: Loose = {}, seen = true): Promise<void> {
  name = uniqueName('policy');
  const matchConstraints = { resourceRules: [rule], ...inNamespace(), ...spec.matchConstraints };
  const validations = [probe, ...(spec.validations ?? [])];
  const policy = await api.post(policies, { metadata: { name }, spec: { ...spec, matchConstraints, validations } });
  if (policy.status !== 201) throw new Error(policy.text);
  const bound = { policyName: name, validationActions: ['Deny'], ...binding };
  const made = await api.post(bindings, { metadata: { name: `${name}-binding` }, spec: bound });
  if (made.status !== 201) throw new Error(made.text);
  if (!seen) return;
  await eventually(
    () => api.post(maps(), map({ probe: 'x' }), { dryRun: 'All' }),
    ({ status, headers, text }) => status === 422 || headers['warning'] !== undefined || text.includes('denied'),
  );
}

afterEach(async () => {
  await api.del(`${bindings}/${name}-binding`);
  await api.del(`${policies}/${name}`);
  await eventually(
    () => api.post(maps(), map({ probe: 'x' }), { dryRun: 'All' }),
    ({ status, headers }) => status === 201 && headers['warning'] === undefined,
  );
});

async function offered(object: Loose, headers: Readonly<Record<string, string>> = {}): Promise<Loose> {
  const answer = await api.send({ method: 'POST', path: maps(), body: object, query: { dryRun: 'All' }, headers });
  const { status, warning, body } = maskedAnswer(answer, names());
  return status < 400 ? { status, warning } : { status, warning, body };
}

const sized = { expression: '!has(object.data) || object.data.all(key, size(key) < 4)' };

describe('a policy', () => {
  test('denies what its expressions do not allow', async () => {
    await enforce({ validations: [sized] });
    expect([await offered(map({ abc: '1' })), await offered(map({ abcd: '1' }))]).toEqual(golden('denied'));
  });

  test('says why, and how bad it is', async () => {
    await enforce({
      validations: [
        { expression: "object.metadata.name != 'a'", message: ' never a ', reason: 'Forbidden' },
        { expression: "object.metadata.name != 'b'", messageExpression: "'not ' + object.metadata.name" },
        { expression: "object.metadata.name != 'c'", reason: 'RequestEntityTooLarge', message: 'too much' },
        {
          expression: "object.metadata.name != 'd'",
          messageExpression: 'string(object.data.none)',
          message: 'instead',
        },
      ],
    });
    const answers = [];
    for (const letter of ['a', 'b', 'c', 'd', 'e']) answers.push(await offered(map({}, { name: letter })));
    expect(answers).toEqual(golden('reasons'));
  });

  test('cannot always be evaluated', async () => {
    await enforce({ validations: [{ expression: "object.data.missing == 'x'" }] });
    expect(await offered(map({ a: 'b' }))).toEqual(golden('errors'));
  });

  test('may be ignored when it cannot be evaluated', async () => {
    await enforce({ failurePolicy: 'Ignore', validations: [{ expression: "object.data.missing == 'x'" }] });
    expect(await offered(map({ a: 'b' }))).toEqual(golden('errors ignored'));
  });

  test('warns instead', async () => {
    await enforce({ validations: [sized] }, { validationActions: ['Warn', 'Audit'] });
    expect([await offered(map({ abcd: '1' })), await offered(map({ ab: '1' }))]).toEqual(golden('warned'));
  });

  test('has variables, which may speak of one another', async () => {
    await enforce({
      variables: [
        { name: 'keys', expression: 'has(object.data) ? object.data.map(key, key) : []' },
        { name: 'many', expression: 'size(variables.keys) > 1' },
        { name: 'broken', expression: 'object.data.missing' },
      ],
      validations: [
        { expression: '!variables.many', messageExpression: "'too many: ' + variables.keys.join(' ')" },
        { expression: "object.metadata.name != 'broken' || variables.broken == 'x'" },
      ],
    });
    expect([
      await offered(map({ a: '1' })),
      await offered(map({ a: '1', b: '2' })),
      await offered(map({ a: '1' }, { name: 'broken' })),
    ]).toEqual(golden('variables'));
  });

  test('looks only at what meets its conditions', async () => {
    await enforce({
      matchConditions: [{ name: 'not-exempt', expression: "!('exempt' in object.metadata.?labels.orValue({}))" }],
      validations: [sized],
    });
    expect([await offered(map({ abcd: '1' })), await offered(map({ abcd: '1' }, { labels: { exempt: '' } }))]).toEqual(
      golden('conditions'),
    );
  });

  test('leaves out what is excluded, and what its binding does not choose', async () => {
    const excludeResourceRules = [{ ...rule, resourceNames: ['spared'] }];
    await enforce(
      { matchConstraints: { excludeResourceRules }, validations: [sized] },
      { matchResources: { objectSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] } } },
    );
    expect([
      await offered(map({ abcd: '1' })),
      await offered(map({ abcd: '1' }, { name: 'spared' })),
      await offered(map({ abcd: '1' }, { labels: { free: '' } })),
    ]).toEqual(golden('exclusions'));
  });

  test('sees the request, the object before and its namespace', async () => {
    await enforce({
      validations: [
        { expression: "namespaceObject.metadata.labels.tier == 'gold'", message: 'not gold' },
        { expression: "request.operation == 'CREATE' || oldObject.data == object.data", message: 'changed' },
        { expression: "request.userInfo.username != 'nobody' && request.resource.resource == 'configmaps'" },
      ],
    });
    const path = `${maps()}/kept`;
    expect((await api.post(maps(), map({ a: '1' }, { name: 'kept' }))).status).toBe(201);
    const changed = await api.patch(path, 'merge', { data: { a: '2' } });
    const labelled = await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } });
    await api.del(path);
    expect([maskedAnswer(changed, names()), labelled.status]).toEqual(golden('old objects'));
  });

  test('asks what the caller may do', async () => {
    await enforce({
      validations: [
        { expression: "authorizer.group('').resource('secrets').namespace(request.namespace).check('get').allowed()" },
        { expression: "authorizer.requestResource.check('create').allowed()", message: 'no create' },
        { expression: "authorizer.path('/healthz').check('get').allowed()", message: 'no path' },
        {
          expression: `!authorizer.serviceAccount('${namespace}', 'other').group('apps').resource('deployments').check('list').allowed()`,
          message: 'others may',
        },
      ],
    });
    await account.grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]);
    const as = { 'impersonate-user': `system:serviceaccount:${namespace}:${account.name}` };
    expect([await offered(map({ a: 'b' })), await offered(map({ a: 'b' }), as)]).toEqual(golden('authorizer'));
  });

  test('takes parameters from other objects', async () => {
    expect(
      (await api.post(maps(), { metadata: { name: 'limits', labels: { for: 'policy' } }, data: { most: '2' } })).status,
    ).toBe(201);
    await enforce(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          {
            expression: 'size(object.data) <= int(params.data.most)',
            messageExpression: "'at most ' + params.data.most",
          },
        ],
      },
      { paramRef: { name: 'limits', namespace, parameterNotFoundAction: 'Deny' } },
    );
    const before = [await offered(map({ a: '1' })), await offered(map({ a: '1', b: '2', c: '3' }))];
    await api.del(`${maps()}/limits`);
    const without = await eventually(
      () => offered(map({ a: '1' })),
      ({ status }) => status !== 201,
    );
    expect([...before, without]).toEqual(golden('parameters'));
  });

  test('notes in the audit log', async () => {
    await enforce(
      {
        validations: [sized],
        auditAnnotations: [
          { key: 'keys', valueExpression: "'has ' + string(size(object.data))" },
          { key: 'none', valueExpression: 'null' },
        ],
      },
      { validationActions: ['Audit'] },
      false,
    );
    const audited = followAudit(api, server());
    const notes = await eventually(
      async () => {
        const [event] = await audited.eventsOf({
          method: 'POST',
          path: maps(),
          body: map({ abcd: '1' }),
          query: { dryRun: 'All' },
        });
        return Object.entries<string>(event.annotations).filter(
          ([key]) => key.startsWith('validation.') || key.startsWith(name),
        );
      },
      (found) => found.length > 0,
    );
    const masking = (text: string): string => text.replaceAll(name, '<policy>');
    expect(Object.fromEntries(notes.map(([key, value]) => [masking(key), masking(value)]))).toEqual(golden('audit'));
  });
});

test('tables show what policies and bindings are for', async () => {
  await enforce({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } });
  const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const cells = async (path: string): Promise<Loose> =>
    (await api.get(path, {}, asTable)).body.rows[0].cells.slice(1, -1);
  const [policy, [bound, params]] = [await cells(`${policies}/${name}`), await cells(`${bindings}/${name}-binding`)];
  expect({ policy, bound: bound === name, params }).toEqual(golden('tables'));
});

import { parseYaml } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { bucketRules } from './bucket-rules.ts';
import { r2BucketKind } from './resource.ts';

test('every form of a rule becomes one of the API, and what is absent stays so', () => {
  const spec = r2BucketKind.parseSpec(
    parseYaml(`
cors:
  - { id: a, allowedOrigins: [o], allowedMethods: [get], allowedHeaders: [h], exposeHeaders: [e], maxAgeSeconds: 0 }
  - { allowedOrigins: [o], allowedMethods: [PUT], allowedHeaders: [] }
lifecycle:
  - { id: days, enabled: false, prefix: p, expiration: { days: 1 } }
  - { id: date, expiration: { date: '2027-01-31' }, abortIncompleteMultipartUpload: { daysAfterInitiation: 2 } }
  - { id: cold, storageClassTransitions: [{ days: 3 }] }`),
  );
  if (!spec.ok) throw new Error(JSON.stringify(spec));
  const conditions = { prefix: '' };
  expect(bucketRules(spec.value)).toEqual({
    cors: [
      {
        id: 'a',
        allowed: { origins: ['o'], methods: ['GET'], headers: ['h'] },
        exposeHeaders: ['e'],
        maxAgeSeconds: 0,
      },
      { allowed: { origins: ['o'], methods: ['PUT'] } },
    ],
    lifecycle: [
      {
        id: 'days',
        enabled: false,
        conditions: { prefix: 'p' },
        deleteObjectsTransition: { condition: { type: 'Age', maxAge: 86_400 } },
      },
      {
        id: 'date',
        enabled: true,
        conditions,
        deleteObjectsTransition: { condition: { type: 'Date', date: '2027-01-31' } },
        abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 172_800 } },
      },
      {
        id: 'cold',
        enabled: true,
        conditions,
        storageClassTransitions: [{ condition: { type: 'Age', maxAge: 259_200 }, storageClass: 'InfrequentAccess' }],
      },
    ],
  });
  const empty = r2BucketKind.parseSpec({});
  expect(empty.ok && [empty.value.deletionPolicy, bucketRules(empty.value)]).toEqual(['Delete', {}]);
});

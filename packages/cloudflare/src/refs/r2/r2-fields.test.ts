import { parseYaml } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { r2BucketDomainKind } from '../../kinds/r2-bucket-domain/resource.ts';
import { r2BucketNotificationKind } from '../../kinds/r2-bucket-notification/resource.ts';
import { r2BucketKind } from '../../kinds/r2-bucket/resource.ts';

test.each([
  [r2BucketKind, 'name', '{ name: A_b }'],
  [r2BucketKind, 'locationHint', '{ locationHint: moon }'],
  [r2BucketKind, 'jurisdiction', '{ jurisdiction: moon }'],
  [r2BucketKind, 'cors[0].allowedOrigins', '{ cors: [{ allowedOrigins: [], allowedMethods: [GET] }] }'],
  [r2BucketKind, 'lifecycle[0].id', '{ lifecycle: [{ prefix: x }] }'],
  [r2BucketKind, 'lifecycle[0].expiration.days', '{ lifecycle: [{ id: x, expiration: { days: 0 } }] }'],
  [r2BucketDomainKind, 'domain', '{ bucketName: abc, domain: localhost }'],
  [r2BucketDomainKind, 'bucketName', '{ bucketName: ab, domain: a.example.com }'],
  [r2BucketDomainKind, 'minTls', '{ bucketName: abc, domain: a.example.com, minTls: "2" }'],
  [r2BucketNotificationKind, 'rules', '{ bucketName: abc, queueName: q, rules: [] }'],
  [r2BucketNotificationKind, 'rules[0].eventTypes[0]', '{ bucketName: a, queueName: q, rules: [{ eventTypes: [x] }] }'],
])('$kind is refused by name: %s', (kind, field, yaml) => {
  const checked = kind.parseSpec(parseYaml(yaml));
  expect(checked.ok ? [] : checked.problems.map((problem) => problem.field)).toEqual([`spec.${field}`]);
});

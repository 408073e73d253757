import type { CorsRule, LifecycleRule } from '../../targets/r2-bucket/contract.ts';
import type { R2Bucket } from './resource.ts';

type Spec = R2Bucket['spec'];
type When = { readonly days?: number | undefined; readonly date?: string | undefined };
type Condition = NonNullable<LifecycleRule['deleteObjectsTransition']>['condition'];

const day = 86_400;

/** CORS and lifecycle as the API has them. */
export function bucketRules({ cors, lifecycle }: Spec): {
  readonly cors?: CorsRule[];
  readonly lifecycle?: LifecycleRule[];
} {
  return {
    ...(cors && { cors: cors.map(toCorsRule) }),
    ...(lifecycle && { lifecycle: lifecycle.map(toLifecycleRule) }),
  };
}

export function ruleProblems({ lifecycle = [] }: Spec): readonly string[] {
  return lifecycle.flatMap(({ id, expiration, storageClassTransitions = [] }, index) => {
    const at = `spec.lifecycle[${index}]`;
    const isTwice = lifecycle.findIndex((other) => other.id === id) !== index;
    return [
      ...(isTwice ? [`${at}.id: ${id} is in the list already`] : []),
      ...(expiration ? whenProblems(`${at}.expiration`, expiration) : []),
      ...storageClassTransitions.flatMap((move, nth) => whenProblems(`${at}.storageClassTransitions[${nth}]`, move)),
    ];
  });
}

function whenProblems(at: string, { days, date }: When): readonly string[] {
  if ((days === undefined) === !date) return [`${at}: one of days and date must be given, and not both`];
  return date && Number.isNaN(Date.parse(date)) ? [`${at}.date: ${date} is no date`] : [];
}

function toCorsRule(rule: NonNullable<Spec['cors']>[number]): CorsRule {
  const { id, allowedOrigins, allowedMethods, allowedHeaders, exposeHeaders, maxAgeSeconds } = rule;
  return {
    ...(id && { id }),
    allowed: {
      origins: allowedOrigins,
      methods: allowedMethods.map((method) => method.toUpperCase()),
      ...(allowedHeaders?.length && { headers: allowedHeaders }),
    },
    ...(exposeHeaders?.length && { exposeHeaders }),
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
  };
}

function toLifecycleRule(rule: NonNullable<Spec['lifecycle']>[number]): LifecycleRule {
  const { id, enabled, prefix = '', expiration, abortIncompleteMultipartUpload: abort, storageClassTransitions } = rule;
  return {
    id,
    enabled,
    conditions: { prefix },
    ...(expiration && { deleteObjectsTransition: { condition: toCondition(expiration) } }),
    ...(abort && {
      abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: abort.daysAfterInitiation * day } },
    }),
    ...(storageClassTransitions?.length && {
      storageClassTransitions: storageClassTransitions.map(({ storageClass, ...when }) => ({
        condition: toCondition(when),
        storageClass,
      })),
    }),
  };
}

function toCondition({ days, date = '' }: When): Condition {
  return days === undefined ? { type: 'Date', date } : { type: 'Age', maxAge: days * day };
}

export { sleep, systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { defineKind, apiVersionOf, kindId } from './kind.ts';
export type { Kind } from './kind.ts';
export { keyOf, toKey, toRef } from './object.ts';
export type { AnyObject, KubeObject, ObjectKey, ObjectMeta, ObjectRef, OwnerReference } from './object.ts';
export { OperatorError, isOperatorError } from './operator-error.ts';
export type { Retry } from './operator-error.ts';
export type { Result } from './result.ts';

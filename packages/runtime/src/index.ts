// The public face. Grouped as the folders are; what is not here is nobody's business but the runtime's.

export { sleep, systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { apiVersionOf, defineKind, kindId } from './kind.ts';
export type { Kind } from './kind.ts';
export { configMapKind, crdKind, namespaceKind, secretKind } from './builtin-kinds.ts';
export type { ConfigMap, Secret } from './builtin-kinds.ts';
export { keyOf, toKey, toRef } from './object.ts';
export type { AnyObject, KubeObject, ObjectKey, ObjectMeta, ObjectRef, OwnerReference } from './object.ts';
export { isOperatorError, OperatorError } from './operator-error.ts';
export type { Retry } from './operator-error.ts';
export type { Result } from './result.ts';
export { silentLog } from './log.ts';
export type { Log } from './log.ts';
export { connect } from './connect.ts';
export type { Connection, ConnectOptions } from './connect.ts';

export { createKubeClient } from './client/create-kube-client.ts';
export type { KubeClientOptions } from './client/create-kube-client.ts';
export { createUndiciTransport } from './client/undici-transport.ts';
export type { UndiciTransportOptions } from './client/undici-transport.ts';
export type { HttpHead, HttpRequest, HttpResponse, StreamHandler, Transport } from './client/transport.ts';
export type * from './client/kube-client.ts';
export { KubeApiError } from './client/kube-api-error.ts';
export * from './client/error-checks.ts';
export { fromStatus } from './client/to-kube-api-error.ts';
export { withRetries } from './client/with-retries.ts';
export { withWarnings } from './client/with-warnings.ts';
export { withTokenBucket } from './client/with-token-bucket.ts';
export { withAnswerHook } from './client/with-answer-hook.ts';

export { loadClusterAccess } from './kubeconfig/load-cluster-access.ts';
export type { LoadOptions } from './kubeconfig/load-cluster-access.ts';
export { inClusterAccess } from './kubeconfig/in-cluster-access.ts';
export { systemAccessDeps } from './kubeconfig/system-access-deps.ts';
export { staticAuth } from './kubeconfig/cluster-access.ts';
export type { AccessDeps, ClusterAccess, ClusterAuth, ClusterTls, FileAccess } from './kubeconfig/cluster-access.ts';

export { createObjectCache } from './cache/object-cache.ts';
export type { InformerProblem, ObjectCacheOptions, SharedCache } from './cache/object-cache.ts';
export type { CacheObserver } from './cache/cache-observer.ts';
export { defaultReflectorTiming } from './cache/reflector-timing.ts';
export { createTrackedClient } from './cache/tracked-client.ts';
export type { Change, Informer, InformerScope, ObjectCache } from './cache/informer.ts';
export { compareResourceVersions } from './cache/resource-version.ts';

export { createWorkQueue } from './queue/create-work-queue.ts';
export type { AddOptions, Debounce, Priority, WorkQueue } from './queue/work-queue.ts';
export type { Backoff } from './queue/backoff.ts';

export { createController } from './controller/create-controller.ts';
export type { ControllerDeps, ControllerOptions } from './controller/create-controller.ts';
export { watch } from './controller/watch.ts';
export type { Watch, WatchOptions as WatchDefinition } from './controller/watch.ts';
export { recheck, settled } from './controller/outcome.ts';
export type { Outcome } from './controller/outcome.ts';
export type { Reconcile, ReconcileContext } from './controller/reconcile-key.ts';
export { ownedBy } from './controller/owned-by.ts';
export * from './controller/predicates.ts';

export { createLeaderElector } from './leader/leader-elector.ts';
export type { LeaderElector, LeaderElectorOptions, Term } from './leader/leader-elector.ts';
export { createFencedTransport } from './leader/fenced-transport.ts';
export { createOpenFence } from './leader/fence.ts';
export type { Fence } from './leader/fence.ts';

export { createManager } from './manager/create-manager.ts';
export type { Manager, ManagerDeps, ManagerOptions } from './manager/create-manager.ts';
export { createOperatorProcess } from './manager/operator-process.ts';
export type { OperatorParts, OperatorProcessDeps, OperatorProcessOptions } from './manager/operator-process.ts';
export { runMain } from './manager/run-main.ts';
export { runOperator } from './manager/run-operator.ts';
export type { OperatorFlags, OperatorHost } from './manager/run-operator.ts';
export type { Runnable } from './manager/runnable.ts';

export { getCondition, isTrue, setCondition, toTimestamp } from './objects/condition.ts';
export type { Condition, NextCondition } from './objects/condition.ts';
export * from './objects/finalizer.ts';
export * from './objects/owner-reference.ts';
export { createEventRecorder } from './objects/event-recorder.ts';
export type { EventRecorder, EventRecorderOptions } from './objects/event-recorder.ts';
export { mergePatchBetween } from './objects/merge-patch.ts';
export { metadataPatch } from './objects/metadata-patch.ts';
export { canonicalJson, hashOf } from './objects/canonical-json.ts';

export { eventKind } from './objects/event-writer.ts';
export { createLogger } from './telemetry/logger.ts';
export type { LoggerOptions } from './telemetry/logger.ts';
export { createMetrics } from './telemetry/metrics.ts';
export type { Metrics } from './telemetry/metrics.ts';
export { createEventLoopProbe } from './telemetry/event-loop-delay.ts';
export { createTracing, inSpan } from './telemetry/tracing.ts';

export { defineCustomKind } from './schema/custom-kind.ts';
export { LossySchemaError } from './schema/lossy-schema-error.ts';
export type { AnyCustomKind, CustomKind } from './schema/custom-kind.ts';
export type { PrinterColumn } from './schema/crd.ts';
export type { CustomResourceDefinition } from './schema/crd.ts';
export { toCrdYaml } from './schema/crd-yaml.ts';
export { atomicList, listMap, listSet, mapOf } from './schema/collection-shapes.ts';
export { conditionList } from './schema/condition-shape.ts';
export { anyScalar, duration, intOrString, preserveUnknown, quantity, timestamp } from './schema/scalar-shapes.ts';
export { immutable, rule, transitionRule } from './schema/rule.ts';
export { oneOfBy } from './schema/one-of-by.ts';
export type { Checked, Problem } from './schema/problem.ts';

export { operatorManifests } from './manifests/operator-manifests.ts';
export type { OperatorManifestOptions } from './manifests/operator-manifests.ts';
export { toPolicyRules } from './manifests/permission.ts';
export type { Permission } from './manifests/permission.ts';

export { parseYaml, parseYamlDocuments } from './yaml/parse-yaml.ts';
export { toYaml } from './yaml/to-yaml.ts';

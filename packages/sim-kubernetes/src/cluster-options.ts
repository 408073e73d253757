import type { Clock } from '@tributary/runtime/clock';
import type { BuiltinController } from './actors/builtin-actors.ts';
import type { AuditEvent } from './audit/audit-event.ts';
import type { AuthorizationMode } from './auth/create-access.ts';
import type { CrdConverters } from './crd/to-resource-types.ts';
import type { ManifestOptions } from './gather-manifests.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { Actor } from './registry/actor.ts';
import type { AdmissionPlugin, UserInfo } from './registry/admission.ts';
import type { ResourceType } from './registry/resource-type.ts';
import type { StoreSnapshot } from './storage/store.ts';
import type { ResolveService } from './webhook-client/create-webhook-client.ts';
import type { WebhookTransport } from './webhook-client/webhook-transport.ts';

export type ClusterOptions = ManifestOptions & {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** False: no socket at all; the cluster is reached by `transport()` alone. */
  readonly listen?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where to write the kubeconfig. */
  readonly kubeconfigPath?: string;
  /** The state to begin with: what `cluster.snapshot()` gave, of this cluster or of another. */
  readonly snapshot?: StoreSnapshot;
  /** Read at the start when it is there and there is no `snapshot`, written at the stop. */
  readonly snapshotPath?: string;
  /** Kinds beside the built-in ones. */
  readonly kinds?: readonly ResourceType[];
  /** Which parts of kube-controller-manager run; absent: all that there are. */
  readonly controllers?: readonly BuiltinController[];
  /** What runs beside the server and its controllers, for example a scheduler and a kubelet. */
  readonly actors?: readonly Actor[];
  /** Plugins that run after those of kube-apiserver. */
  readonly admission?: readonly AdmissionPlugin[];
  /** How webhooks are reached; absent: over TLS, by their URL or the endpoints of their Service. */
  readonly webhookTransport?: WebhookTransport;
  /** Where a Service is that a webhook configuration names; absent: where its EndpointSlices say. */
  readonly resolveService?: ResolveService;
  /** What stands for conversion webhooks, by the name of the CRD. */
  readonly converters?: CrdConverters;
  /** Who may come in with which token; without it there is one administrator, with the cluster's `token`. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /** RBAC, as every cluster has it, unless `any-user`: then whoever has shown who they are may do everything. */
  readonly authorization?: AuthorizationMode;
  /** What goes wrong from the start; more can be added to the running cluster. */
  readonly faults?: readonly FaultRule[];
  /** Events kept per resource for watches and older lists. */
  readonly historyLimit?: number;
  /** Freezes stored objects, to find code that changes them. */
  readonly freeze?: boolean;
  /** Where the audit log goes: one line of JSON per event, as kube-apiserver writes it at level Metadata. */
  readonly auditLogPath?: string;
  /** Told of every request with its answer, as an event of audit.k8s.io/v1. */
  readonly onAudit?: (event: AuditEvent) => void;
  /** Told of faults of the server itself and of what runs beside it. */
  readonly onInternalError?: (error: unknown) => void;
};

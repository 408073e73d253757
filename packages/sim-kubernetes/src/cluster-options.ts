import type { Clock } from '@tributary/runtime/clock';
import type { BuiltinController } from './actors/builtin-actors.ts';
import type { CrdConverters } from './crd/to-resource-types.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { Actor } from './registry/actor.ts';
import type { AdmissionPlugin, UserInfo } from './registry/admission.ts';
import type { ResourceType } from './registry/resource-type.ts';

export type ClusterOptions = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** False: no socket at all; the cluster is reached by `transport()` alone. */
  readonly listen?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Files and folders of CustomResourceDefinitions to install before the cluster is handed out. */
  readonly crdPaths?: readonly string[];
  /** Where to write the kubeconfig. */
  readonly kubeconfigPath?: string;
  /** Read at the start when it is there, written at the stop. */
  readonly snapshotPath?: string;
  /** Kinds beside the built-in ones. */
  readonly kinds?: readonly ResourceType[];
  /** Which parts of kube-controller-manager run; absent: all that there are. */
  readonly controllers?: readonly BuiltinController[];
  /** What runs beside the server and its controllers, for example a scheduler and a kubelet. */
  readonly actors?: readonly Actor[];
  /** Plugins that run after those of kube-apiserver. */
  readonly admission?: readonly AdmissionPlugin[];
  /** What stands for conversion webhooks, by the name of the CRD. */
  readonly converters?: CrdConverters;
  /** Who may come in with which token; without it there is one administrator, with the cluster's `token`. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /** What goes wrong from the start; more can be added to the running cluster. */
  readonly faults?: readonly FaultRule[];
  /** Events kept per resource for watches and older lists. */
  readonly historyLimit?: number;
  /** Freezes stored objects, to find code that changes them. */
  readonly freeze?: boolean;
  /** Told of faults of the server itself and of what runs beside it. */
  readonly onInternalError?: (error: unknown) => void;
};

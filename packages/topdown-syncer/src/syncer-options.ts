/** What a user may choose. Whatever is absent is as the original does it, or safer. */
export type SyncerOptions = {
  readonly clusterBindingName: string;
  /** Part of what names in P are hashed from, so that several virtual clusters can share one mount namespace. */
  readonly nameSalt?: string;
  /** The namespaces of P, beside the mount namespace, that receive the Secrets of CSI volumes. */
  readonly csiSecretNamespaces?: readonly string[];
  /** `auto`: pods are led to V's API server and DNS where the two intranet Services exist; `required`: only then do they run. */
  readonly redirection?: 'auto' | 'required' | 'off';
  readonly clusterDomain?: string;
  /** Pods get the variables of V's Services, as kubelets set them where `enableServiceLinks` is not false. On unless told otherwise. */
  readonly serviceVariables?: boolean;
  /** Copies that no pod names any more are deleted in P, and V's objects let go. */
  readonly collectUnused?: boolean;
  /** Normal events of P's pods are told in V, too, not only warnings. */
  readonly allEvents?: boolean;
  /** Writes the binding's status, where no manager of Kubeocean does. */
  readonly manageBindingStatus?: boolean;
  /** The zone that the windows of policies are in. */
  readonly timeZone?: string;
  /** Where logs and metrics of virtual nodes are served, if somebody serves them. */
  readonly nodeAddress?: string;
  readonly prometheusPort?: number;
  /** How long P may take to find a node for a pod; 5 min when absent. */
  readonly schedulingTimeoutMs?: number;
  /** How many pods are worked on at once. */
  readonly podConcurrency?: number;
};

import { configMapKind, secretKind } from '@tributary/runtime';
import type { ConfigMap, Connection, Informer, InformerScope, Secret } from '@tributary/runtime';
import { clusterBindingKind } from './contract/cluster-binding.ts';
import type { ClusterBinding } from './contract/cluster-binding.ts';
import { claimKind, nodeKind, volumeKind } from './contract/cluster-kinds.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim } from './contract/cluster-kinds.ts';
import { labels, managedSelector } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod } from './contract/pod.ts';

/** The caches that several parts read. In P they hold no more than what syncers made, in the mount namespace. */
export type Informers = {
  readonly virtual: {
    readonly bindings: Informer<ClusterBinding>;
    readonly pods: Informer<Pod>;
    /** The virtual nodes of this binding. */
    readonly vnodes: Informer<Node>;
    readonly configMaps: Informer<ConfigMap>;
    readonly secrets: Informer<Secret>;
    readonly claims: Informer<PersistentVolumeClaim>;
    readonly volumes: Informer<PersistentVolume>;
  };
  readonly physical: {
    readonly pods: Informer<Pod>;
    readonly configMaps: Informer<ConfigMap>;
    readonly secrets: Informer<Secret>;
    readonly claims: Informer<PersistentVolumeClaim>;
    readonly volumes: Informer<PersistentVolume>;
  };
};

export type Scopes = {
  readonly binding: InformerScope;
  readonly vnodes: InformerScope;
  /** Everything namespaced that syncers made in P. */
  readonly mounted: InformerScope;
  /** Everything cluster-wide that syncers made in P. */
  readonly managed: InformerScope;
};

export function toScopes({ name, mountNamespace }: { readonly name: string; readonly mountNamespace: string }): Scopes {
  return {
    binding: { fieldSelector: `metadata.name=${name}` },
    vnodes: { labelSelector: `${managedSelector},${labels.clusterBinding}=${name}` },
    mounted: { namespace: mountNamespace, labelSelector: managedSelector },
    managed: { labelSelector: managedSelector },
  };
}

export function openInformers(
  scopes: Scopes,
  { virtual, physical }: { readonly virtual: Pick<Connection, 'cache'>; readonly physical: Pick<Connection, 'cache'> },
): Informers {
  return {
    virtual: {
      bindings: virtual.cache.informer(clusterBindingKind, scopes.binding),
      pods: virtual.cache.informer(podKind),
      vnodes: virtual.cache.informer(nodeKind, scopes.vnodes),
      configMaps: virtual.cache.informer(configMapKind),
      secrets: virtual.cache.informer(secretKind),
      claims: virtual.cache.informer(claimKind),
      volumes: virtual.cache.informer(volumeKind),
    },
    physical: {
      pods: physical.cache.informer(podKind, scopes.mounted),
      configMaps: physical.cache.informer(configMapKind, scopes.mounted),
      secrets: physical.cache.informer(secretKind, scopes.mounted),
      claims: physical.cache.informer(claimKind, scopes.mounted),
      volumes: physical.cache.informer(volumeKind, scopes.managed),
    },
  };
}

import type { AdmissionPlugin } from '../registry/admission.ts';
import {
  defaultIngressClass,
  defaultStorageClass,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from './default-classes.ts';
import { defaultTolerationSeconds, priority } from './pod-admission.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { serviceAccount } from './service-account.ts';
import { serviceAddress } from './service-address.ts';

/** The plugins of kube-apiserver that are on by default, in its order; NamespaceLifecycle comes before them. */
export function builtinAdmission(options: { readonly serviceAccounts?: boolean } = {}): readonly AdmissionPlugin[] {
  return [
    ...(options.serviceAccounts === false ? [] : [serviceAccount]),
    taintNodesByCondition,
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    storageObjectInUseProtection,
    defaultIngressClass,
    serviceAddress,
    podSecurity,
  ];
}

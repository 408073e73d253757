import type { KubeObject } from '@tributary/runtime';

const apiVersion = 'networking.cloudflare-operator.io/v1alpha2';

/** An object of ours as the server would hold it; the later in the list, the younger. */
export function made(kind: string, name: string, spec: object, rest: object = {}): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec,
    ...rest,
  } as KubeObject;
}

export function credentialsObject(name: string, spec: object = {}, metadata: object = {}): KubeObject {
  const whole = {
    accountId: `account-of-${name}`,
    authType: 'apiToken',
    secretRef: { name },
    isDefault: false,
    ...spec,
  };
  const object = made('CloudflareCredentials', name, whole);
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

export function domainObject(name: string, spec: object, status?: object): KubeObject {
  return made('CloudflareDomain', name, { isDefault: false, ...spec }, status && { status });
}

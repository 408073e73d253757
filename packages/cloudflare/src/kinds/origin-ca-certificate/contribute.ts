import { apiVersionOf } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { originCaCertificateContract } from '../../targets/origin-ca-certificate/contract.ts';
import type { OriginCaCertificateConfig } from '../../targets/origin-ca-certificate/contract.ts';
import { originCaCertificateKind } from './resource.ts';
import type { OriginCaCertificate } from './resource.ts';
import { resolveKey, secretOf } from './resolve-key.ts';
import type { ResolvedKey } from './resolve-key.ts';

export const originCaCertificateContributor = defineContributor<OriginCaCertificate, ResolvedKey>({
  kind: originCaCertificateKind,
  finalizer: 'origincacertificate.cloudflare-operator.io/finalizer',
  formerFinalizers: ['cloudflare.com/origin-ca-certificate-finalizer'],
  resolve: resolveKey,
  contribute: (object, { account, makes, key }) => {
    const { metadata, spec } = object;
    const { name = '', namespace = '' } = metadata;
    const { hostnames, requestType, validity, csr, renewal } = spec;
    const config: OriginCaCertificateConfig = {
      hostnames,
      requestType,
      validityDays: validity,
      ...(makes && { makes }),
      ...(key && { key }),
      ...(csr && { csr }),
      ...(renewal?.enabled !== false && { renewBeforeDays: renewal?.renewBeforeDays ?? 30 }),
      ...toSecret(object),
    };
    const { accountId, credentials } = account;
    const owner = `OriginCACertificate/${namespace}/${name}`;
    return [contribution(originCaCertificateContract, { accountId, owner }, config, { credentials })];
  },
  status: (object, view) => {
    const [part] = view.parts;
    const secret = secretOf(object);
    return {
      state: stateOf(view, object.status?.state),
      message: view.ready.status === 'True' ? '' : view.ready.message,
      // Where there is no renewal any more there is no time of it.
      ...(part?.id && { certificateId: part.id, renewalTime: undefined, ...part.outputs }),
      ...(part?.synced && { secretName: secret?.name ?? '', secretNamespace: secret?.namespace ?? '' }),
    };
  },
  ready: { synced: 'CertificateReady', pending: 'Issuing', failed: 'Error' },
});

function toSecret(object: OriginCaCertificate): Pick<OriginCaCertificateConfig, 'secret'> {
  const place = secretOf(object);
  if (!place) return {};
  const { name = '', namespace = '', uid = '' } = object.metadata;
  const { certManagerCompatible = true, includeCA = false } = object.spec.secretSync ?? {};
  const owner = { apiVersion: apiVersionOf(originCaCertificateKind), kind: 'OriginCACertificate', name, uid };
  return {
    secret: {
      ...place,
      layout: certManagerCompatible ? 'tls' : 'opaque',
      withAuthority: includeCA,
      labels: { 'cloudflare-operator.io/origin-ca-certificate': name.slice(0, 63).replace(/[^a-z0-9]+$/, '') },
      // An owner of another namespace would be taken for gone, and the Secret with it.
      ...(place.namespace === namespace && { owner }),
    },
  };
}

type State = NonNullable<NonNullable<OriginCaCertificate['status']>['state']>;

function stateOf({ state }: View, before: State | undefined): State {
  if (state !== 'Pending') return state === 'Synced' ? 'Ready' : 'Error';
  return before === 'Ready' || before === 'Renewing' ? 'Renewing' : 'Issuing';
}

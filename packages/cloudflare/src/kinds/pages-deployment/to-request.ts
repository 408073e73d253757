import type { Child, Refs } from '../../engine/l2-controllers/contributor.ts';
import { ownSecret } from '../../refs/access/used-secret.ts';
import { parseGoDuration } from '../../refs/parse-go-duration.ts';
import type { OlderUpload, UploadSource } from '../../refs/pages/upload-source.ts';
import type { FileSource, PagesDeploymentConfig } from '../../targets/pages-deployment/contract.ts';
import type { PagesDeployment } from './resource.ts';

export type Request =
  | { readonly ok: true; readonly config: PagesDeploymentConfig; readonly environment: string; readonly child?: Child }
  | { readonly ok: false; readonly message: string };

type Upload = UploadSource | OlderUpload;
type Http = NonNullable<UploadSource['source']['http']>;

/** What Cloudflare is asked for. */
export function toRequest(object: PagesDeployment, refs: Pick<Refs, 'operatorNamespace'>): Request {
  const { spec } = object;
  const upload = spec.source ? spec.source.directUpload : spec.directUpload;
  if (spec.action === 'retry') return toRetry(object);
  if (spec.source?.type === 'directUpload' || (!spec.source && upload)) {
    if (!upload) return refused('spec.source.directUpload: must be given where the type is directUpload');
    return toUpload(object, upload, refs);
  }
  return toBuild(object);
}

function toRetry({ spec }: PagesDeployment): Request {
  const { targetDeploymentId: deploymentId, environment = '', purgeBuildCache } = spec;
  if (!deploymentId) return refused('spec.targetDeploymentId: says which deployment is tried again');
  const description = `retry of ${deploymentId}`;
  return { ok: true, config: { source: { type: 'retry', deploymentId }, description, purgeBuildCache }, environment };
}

function toBuild({ spec }: PagesDeployment): Request {
  const { branch: newer, commitSha, commitMessage } = spec.source?.git ?? {};
  const branch = newer || spec.branch;
  const { environment = branch ? 'preview' : 'production', purgeBuildCache } = spec;
  if (environment === 'preview' && !branch) return refused('spec.source.git.branch: a preview has a branch of its own');
  const config: PagesDeploymentConfig = {
    source: { type: 'git' },
    description: `git:${branch ?? 'production'}${commitSha ? `@${commitSha}` : ''}`,
    ...(branch && { branch }),
    ...(commitSha && { commitHash: commitSha }),
    ...(commitMessage && { commitMessage }),
    purgeBuildCache,
  };
  return { ok: true, config, environment };
}

function toUpload(object: PagesDeployment, upload: Upload, refs: Pick<Refs, 'operatorNamespace'>): Request {
  const { environment = 'preview', purgeBuildCache } = object.spec;
  const { checksum, archive } = upload;
  const own = upload.source?.http && ownSecret('PagesDeployment', object, inlineSecrets(upload.source.http), refs);
  const place = own && { namespace: own.use.namespace, name: own.use.name };
  const at = object.spec.source ? 'spec.source.directUpload' : 'spec.directUpload';
  const found = toSource(object, upload, at, place);
  if (!found.ok) return found;
  const { branch, deploymentMetadata = {} } = upload as Partial<UploadSource>;
  const named = branch || deploymentMetadata.branch;
  const config: PagesDeploymentConfig = {
    source: found.source,
    description: `directUpload:${found.source.type}`,
    ...(environment === 'preview' ? { branch: named || 'preview' } : named && { branch: named }),
    ...(deploymentMetadata.commitHash && { commitHash: deploymentMetadata.commitHash }),
    ...(deploymentMetadata.commitMessage && { commitMessage: deploymentMetadata.commitMessage }),
    ...(deploymentMetadata.commitDirty !== undefined && { commitDirty: deploymentMetadata.commitDirty }),
    ...(checksum && { checksum }),
    ...(archive && { archive: { ...archive, subPath: archive.subPath ?? '' } }),
    purgeBuildCache,
  };
  return { ok: true, config, environment, ...(own && { child: own.child }) };
}

type FoundSource =
  | { readonly ok: true; readonly source: FileSource }
  | { readonly ok: false; readonly message: string };
type Place = { readonly namespace: string; readonly name: string };

function toSource({ metadata }: PagesDeployment, upload: Upload, at: string, own: Place | undefined): FoundSource {
  const { manifest, manifestConfigMapRef } = upload as Partial<OlderUpload>;
  const { http, s3, oci } = upload.source ?? {};
  if (manifestConfigMapRef)
    return refused(`${at}.manifestConfigMapRef: ConfigMaps are not read; use manifest or source`);
  if (manifest) return { ok: true, source: { type: 'files', files: manifest } };
  if ([http, s3, oci].filter(Boolean).length !== 1) return refused(`${at}.source: exactly one of http, s3 and oci`);
  const beside = <N extends string>(
    name: N,
    ref: { readonly name: string } | undefined,
  ): { readonly [n in N]?: Place } =>
    (ref?.name ? { [name]: { namespace: metadata.namespace ?? '', name: ref.name } } : {}) as { [n in N]?: Place };
  if (http)
    return toHttp(http, `${at}.source.http`, { ...beside('headers', http.headersSecretRef), ...(own && { own }) });
  if (s3) {
    const { credentialsSecretRef, ...rest } = s3;
    return { ok: true, source: { type: 's3', ...rest, ...beside('credentials', credentialsSecretRef) } };
  }
  const { image = '', insecureRegistry: insecure = false, credentialsSecretRef } = oci ?? {};
  return { ok: true, source: { type: 'oci', image, insecure, ...beside('credentials', credentialsSecretRef) } };
}

function toHttp(http: Http, at: string, secrets: { readonly headers?: Place; readonly own?: Place }): FoundSource {
  const seconds = parseGoDuration(http.timeout);
  if (http.insecureSkipVerify) return refused(`${at}.insecureSkipVerify: what cannot be trusted is not deployed`);
  if (seconds === undefined) return refused(`${at}.timeout: ${http.timeout} is no duration`);
  const [url = ''] = http.url.split('?');
  return { ok: true, source: { type: 'http', url, timeoutMs: seconds * 1000, ...secrets } };
}

/** What may be a secret although it stands in clear text: headers, and the signature of a URL. */
function inlineSecrets({ url, headers = {} }: Http): Readonly<Record<string, string | undefined>> {
  const at = url.indexOf('?');
  return {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`header.${name}`, value])),
    query: at < 0 ? undefined : url.slice(at),
  };
}

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

import type { UploadSource } from './upload-source.ts';
import type { FullVersion, SourceTemplate, VersionManagement } from './version-management.ts';

export type Version = {
  readonly name: string;
  readonly upload: UploadSource;
  /** It becomes production, and whether it has to succeed as a preview before. */
  readonly production?: 'at once' | 'when validated';
};

export type WantedVersions =
  | { readonly ok: true; readonly policy: string; readonly versions: readonly Version[] }
  | { readonly ok: false; readonly message: string };

type Asking = {
  readonly versionManagement?: VersionManagement | undefined;
  readonly versions?: readonly FullVersion[] | undefined;
  readonly productionTarget?: string | undefined;
};

const unfollowed = new Set(['latestPreview', 'autoPromote', 'external']);

/** The versions that a project wants deployed. */
export function wantedVersions({ versionManagement, versions, productionTarget = 'latest' }: Asking): WantedVersions {
  if (!versionManagement) {
    return versions ? fromFull({ versions, productionTarget }) : { ok: true, policy: 'none', versions: [] };
  }
  return byPolicy(versionManagement);
}

function byPolicy(management: VersionManagement): WantedVersions {
  const { type, policy, targetVersion, declarativeVersions, fullVersions, gitops, gitopsLatest } = management;
  const chosen = type ?? policy;
  const at = `spec.versionManagement.${chosen}`;
  if (chosen === 'none') return { ok: true, policy: chosen, versions: [] };
  if (unfollowed.has(chosen))
    return refused(`${at}: is not followed; name the version by gitops, or make a PagesPromotion`);
  if (chosen === 'targetVersion' && targetVersion) {
    const { version, sourceTemplate, metadata } = targetVersion;
    return withTemplate(chosen, at, [{ name: version, production: 'at once', metadata }], sourceTemplate);
  }
  if (chosen === 'declarativeVersions' && declarativeVersions) return fromNames(declarativeVersions, at);
  if (chosen === 'fullVersions' && fullVersions) return fromFull(fullVersions);
  if (chosen === 'gitops' && gitops) return fromGitops(gitops, at);
  if (chosen === 'gitopsLatest' && gitopsLatest) {
    const { version, sourceTemplate, environment, metadata } = gitopsLatest;
    const named = { name: version, ...productionIf(environment === 'production'), metadata };
    return withTemplate(chosen, at, [named], sourceTemplate);
  }
  return refused(`${at}: must be given where the policy is ${chosen}`);
}

function fromNames(declared: NonNullable<VersionManagement['declarativeVersions']>, at: string): WantedVersions {
  const { versions: names, sourceTemplate, productionTarget, metadata } = declared;
  const chosen = productionTarget === 'latest' ? names[0] : productionTarget;
  if (chosen && !names.includes(chosen)) return refused(`${at}.productionTarget: ${chosen} is none of the versions`);
  const named = names.map((name) => ({ name, ...productionIf(name === chosen), metadata }));
  return withTemplate('declarativeVersions', at, named, sourceTemplate);
}

type Metadata = Readonly<Record<string, string>> | undefined;
type Named = Pick<Version, 'name' | 'production'> & { readonly metadata: Metadata };

type Full = { readonly versions: readonly FullVersion[]; readonly productionTarget: string };

function fromFull({ versions, productionTarget }: Full): WantedVersions {
  const at = 'spec.versionManagement.fullVersions';
  const chosen = productionTarget === 'latest' ? versions[0]?.name : productionTarget;
  const twice = versions.find(({ name }, index) => versions.findIndex((each) => each.name === name) !== index);
  if (twice) return refused(`${at}.versions: ${twice.name} is in the list twice`);
  if (chosen && !versions.some(({ name }) => name === chosen))
    return refused(`${at}.productionTarget: ${chosen} is none of the versions`);
  const without = versions.find(({ source }) => !source);
  if (without) return refused(`${at}.versions: ${without.name} has no source`);
  return {
    ok: true,
    policy: 'fullVersions',
    versions: versions.flatMap(({ name, source, metadata }) =>
      source ? [{ name, upload: withMetadata(source, metadata), ...productionIf(name === chosen) }] : [],
    ),
  };
}

function fromGitops(gitops: NonNullable<VersionManagement['gitops']>, at: string): WantedVersions {
  const { previewVersion, productionVersion, sourceTemplate, requirePreviewValidation } = gitops;
  const production = requirePreviewValidation ? ('when validated' as const) : ('at once' as const);
  const named: readonly Named[] = [
    ...(productionVersion ? [{ name: productionVersion, production, metadata: gitops.productionMetadata }] : []),
    ...(previewVersion && previewVersion !== productionVersion
      ? [{ name: previewVersion, metadata: gitops.previewMetadata }]
      : []),
  ];
  if (named.length === 0) return { ok: true, policy: 'gitops', versions: [] };
  return sourceTemplate
    ? withTemplate('gitops', at, named, sourceTemplate)
    : refused(`${at}.sourceTemplate: says where the versions are`);
}

function withTemplate(policy: string, at: string, named: readonly Named[], template: SourceTemplate): WantedVersions {
  if (!template[template.type]) return refused(`${at}.sourceTemplate.${template.type}: must be given`);
  const versions = named.map(({ name, production, metadata }) => ({
    name,
    upload: withMetadata(fillTemplate(template, name), { ...template.metadata, ...metadata }),
    ...(production && { production }),
  }));
  return { ok: true, policy, versions };
}

function fillTemplate({ type, s3, http, oci }: SourceTemplate, version: string): UploadSource {
  const filled = (template = ''): string => template.replaceAll(/\{\{\s*\.Version\s*\}\}/g, version);
  const { keyTemplate, credentialsSecretRef: s3Secret, archiveType: s3Archive, ...bucket } = s3 ?? {};
  const { urlTemplate, headersSecretRef, archiveType: httpArchive } = http ?? {};
  const { repository = '', tagTemplate, credentialsSecretRef: ociSecret } = oci ?? {};
  const bySource = {
    s3: {
      source: { s3: { ...bucket, key: filled(keyTemplate), ...refTo('credentialsSecretRef', s3Secret) } },
      archive: { type: s3Archive },
    },
    http: {
      source: { http: { url: filled(urlTemplate), ...refTo('headersSecretRef', headersSecretRef) } },
      archive: { type: httpArchive },
    },
    oci: {
      source: { oci: { image: `${repository}:${filled(tagTemplate)}`, ...refTo('credentialsSecretRef', ociSecret) } },
    },
  };
  // The server fills in what a PagesDeployment has by default.
  return bySource[type] as unknown as UploadSource;
}

function refTo(field: string, secret: string | undefined): object {
  return secret ? { [field]: { name: secret } } : {};
}

function withMetadata(upload: UploadSource, metadata: Metadata = {}): UploadSource {
  const { branch, commitHash, commitMessage, commitDirty } = metadata;
  const told = {
    ...upload.deploymentMetadata,
    ...(branch && { branch }),
    ...(commitHash && { commitHash }),
    ...(commitMessage && { commitMessage }),
    ...(commitDirty && { commitDirty: commitDirty === 'true' }),
  };
  return Object.keys(told).length > 0 ? { ...upload, deploymentMetadata: told } : upload;
}

function productionIf(chosen: boolean): Pick<Version, 'production'> {
  return chosen ? { production: 'at once' } : {};
}

function refused(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}

import { canonicalJson } from '@tributary/runtime';
import { readDeployPatch } from '../refs/tunnels/deploy-patch.ts';
import { isMap, strategicMerge } from '../refs/tunnels/strategic-merge.ts';
import type { Json } from '../refs/tunnels/strategic-merge.ts';
import { fromDeployPatch, toDeployPatch } from './deploy-fields.ts';

export const group = 'networking.cloudflare-operator.io';
export const formerVersion = `${group}/v1alpha1`;
export const storedVersion = `${group}/v1alpha2`;

/** Where an object that is shown as v1alpha1 keeps what that version has no field for, so that nothing is lost on the way. */
const keptAnnotation = 'cloudflare-operator.io/v1alpha2';

/** What v1alpha1 cannot hold. */
type Kept = { readonly spec: Json; readonly cloudflare: Json; readonly status: Json };

/** A Tunnel or ClusterTunnel as another version shows it. There and back again nothing changes. */
export function convertTunnel(object: Json, toApiVersion: string): Json {
  if (object['apiVersion'] === toApiVersion) return object;
  if (toApiVersion === storedVersion) return toStored(object);
  if (toApiVersion === formerVersion) return toFormer(object);
  throw new RangeError(`there is no version ${toApiVersion} of ${String(object['kind'])}`);
}

const extraFields = ['size', 'image', 'nodeSelectors', 'tolerations'] as const;
const keptSpecFields = ['deployPatch', 'enableWarpRouting', 'priority'] as const;
const keptCloudflareFields = ['credentialsRef', 'zoneId'] as const;
const ids = ['tunnelId', 'tunnelName', 'accountId', 'zoneId'] as const;

function toStored({ metadata, spec, status, ...rest }: Json): Json {
  const { annotations, ...meta } = mapOf(metadata);
  const { [keptAnnotation]: text, ...otherAnnotations } = mapOf(annotations);
  const kept = readKept(text);
  const { newTunnel, existingTunnel, cloudflare, ...fields } = mapOf(spec);
  return {
    ...rest,
    apiVersion: storedVersion,
    metadata: withAnnotations(meta, otherAnnotations, annotations !== undefined),
    spec: {
      ...without(fields, extraFields),
      ...without(kept.spec, ['deployPatch']),
      deployPatch: newerPatch(fields, kept.spec['deployPatch']),
      cloudflare: { ...mapOf(cloudflare), ...kept.cloudflare },
      ...(mapOf(newTunnel)['name'] ? { newTunnel } : {}),
      ...(hasAny(mapOf(existingTunnel)) ? { existingTunnel } : {}),
    },
    ...(status !== undefined && { status: { ...kept.status, ...mapOf(status) } }),
  };
}

function toFormer({ metadata, spec, status, ...rest }: Json): Json {
  const { annotations, ...meta } = mapOf(metadata);
  const fields = mapOf(spec);
  const cloudflare = mapOf(fields['cloudflare']);
  const kept: Kept = {
    spec: pick(fields, keptSpecFields),
    cloudflare: pick(cloudflare, keptCloudflareFields),
    status: without(mapOf(status), ids),
  };
  return {
    ...rest,
    apiVersion: formerVersion,
    metadata: withAnnotations(meta, { ...mapOf(annotations), [keptAnnotation]: canonicalJson(kept) }, true),
    spec: {
      ...without(fields, keptSpecFields),
      ...fromDeployPatch(patchOf(fields['deployPatch'])),
      cloudflare: { domain: '', secret: '', ...without(cloudflare, keptCloudflareFields) },
    },
    ...(status !== undefined && { status: pick(mapOf(status), ids) }),
  };
}

/** The patch that was there, unless somebody has changed the fields that v1alpha1 shows of it. */
function newerPatch(fields: Json, before: unknown): unknown {
  const extras = pick(fields, extraFields);
  if (typeof before !== 'string') return canonicalJson(toDeployPatch(extras));
  const old = patchOf(before);
  if (canonicalJson(fromDeployPatch(old)) === canonicalJson({ ...fromDeployPatch({}), ...extras })) return before;
  return canonicalJson(strategicMerge(old, toDeployPatch(extras)));
}

function patchOf(text: unknown): Json {
  const read = readDeployPatch(typeof text === 'string' ? text : '{}');
  return read.ok ? read.patch : {};
}

function readKept(text: unknown): Kept {
  const nothing = { spec: {}, cloudflare: {}, status: {} };
  if (typeof text !== 'string') return nothing;
  try {
    const { spec, cloudflare, status } = mapOf(JSON.parse(text));
    return { spec: mapOf(spec), cloudflare: mapOf(cloudflare), status: mapOf(status) };
  } catch {
    // Somebody edited it by hand; the fields that v1alpha1 has are still right.
    return nothing;
  }
}

function withAnnotations(meta: Json, annotations: Json, wereThere: boolean): Json {
  return wereThere && Object.keys(annotations).length > 0 ? { ...meta, annotations } : meta;
}

function hasAny(fields: Json): boolean {
  return Object.values(fields).some(Boolean);
}

function pick(fields: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function without(fields: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function mapOf(value: unknown): Json {
  return isMap(value) ? value : {};
}

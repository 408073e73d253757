import type { AdmissionAttributes } from '../../registry/admission.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import { convertVersion } from '../../registry/convert.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { toScale } from '../../rest/scale.ts';

type KindName = { readonly group: string; readonly version: string; readonly kind: string };
type ResourceName = { readonly group: string; readonly version: string; readonly resource: string };

/** A request as a webhook sees it: in the version that its rules name, which may not be that of the request. */
export type RequestView = {
  readonly type: ResourceType;
  readonly kind: KindName;
  readonly resource: ResourceName;
  readonly requestKind: KindName;
  readonly requestResource: ResourceName;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
};

/** The request in its own version. */
export function ownView(attributes: AdmissionAttributes): RequestView {
  const { type, old } = attributes;
  const object = attributes.object && (cloneJson(attributes.object) as JsonObject);
  const kind = kindOf(attributes, type);
  const resource = resourceOf(type);
  const names = { kind, resource, requestKind: kind, requestResource: resource };
  if (!isScale(attributes)) return { type, ...names, object, old };
  const scaled = (of: JsonObject | undefined): JsonObject | undefined => of && toScale(type, of as StoredObject);
  return { type, ...names, object: scaled(object), old: scaled(old) };
}

/** The same request in another version of its kind. */
export async function viewAs(
  registry: Registry,
  attributes: AdmissionAttributes,
  view: RequestView,
  type: ResourceType,
): Promise<RequestView> {
  if (view.type === type) return view;
  const names = { kind: kindOf(attributes, type), resource: resourceOf(type) };
  // A Scale is the same in all versions.
  if (isScale(attributes)) return { ...view, ...names, type };
  const convert = async (object: JsonObject | undefined): Promise<JsonObject | undefined> =>
    object && convertVersion(registry, view.type, type, object);
  return { ...view, ...names, type, object: await convert(view.object), old: await convert(view.old) };
}

/** `/scale` is written with an object of another kind. */
export function isScale({ subresource, type }: AdmissionAttributes): boolean {
  return subresource === 'scale' && type.scale !== undefined;
}

/** The versions of the same objects that may stand for the one of the request. */
export function equivalents(registry: Registry, { type }: AdmissionAttributes): readonly ResourceType[] {
  const home = type.storedIn ?? type;
  return registry.all().filter((other) => {
    const place = other.storedIn ?? other;
    return other !== type && place.group === home.group && place.plural === home.plural;
  });
}

/** Puts what webhooks made of the object into the one that is on its way to the store. */
export function replaceContent(object: Draft, next: Draft): void {
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, next);
}

function kindOf(attributes: AdmissionAttributes, { group, version, kind }: ResourceType): KindName {
  if (isScale(attributes)) return { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return attributes.kind ?? { group, version, kind };
}

function resourceOf({ group, version, plural }: ResourceType): ResourceName {
  return { group, version, resource: plural };
}

/**
 * A strategic merge patch of a Deployment, as `kubectl patch` does it: maps merge, null deletes, lists whose items have
 * a name merge by that name, other lists are replaced. `$patch: replace` and `$patch: delete` are understood.
 */
export function strategicMerge(target: Json, patch: Json): Json {
  return mergeMaps(target, patch);
}

export type Json = Readonly<Record<string, unknown>>;

/** The lists of a Deployment that merge, and by what; the API calls them patchMergeKey. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  ports: 'containerPort',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
};

function mergeMaps(target: Json, patch: Json): Json {
  const { $patch: directive, ...changes } = patch;
  if (directive === 'replace') return dropNulls(changes);
  if (directive === 'delete') return {};
  const merged: Record<string, unknown> = { ...target };
  for (const [name, change] of Object.entries(changes)) {
    if (name.startsWith('$')) continue;
    if (change === null) delete merged[name];
    else merged[name] = mergeValues(name, merged[name], change);
  }
  return merged;
}

function mergeValues(name: string, target: unknown, change: unknown): unknown {
  const key = mergeKeys[name];
  if (isList(change) && key !== undefined) return mergeLists(isList(target) ? target : [], change, key);
  if (isMap(change)) return mergeMaps(isMap(target) ? target : {}, change);
  return change;
}

function mergeLists(target: readonly unknown[], changes: readonly unknown[], key: string): readonly unknown[] {
  const items = changes.filter(isMap);
  if (items.some((item) => item['$patch'] === 'replace' && item[key] === undefined)) {
    return items.filter((item) => item[key] !== undefined).map(dropNulls);
  }
  return items.reduce<readonly unknown[]>((list, item) => mergeItem(list, item, key), target);
}

function mergeItem(list: readonly unknown[], item: Json, key: string): readonly unknown[] {
  const isIt = (other: unknown): boolean => isMap(other) && other[key] === item[key];
  if (item['$patch'] === 'delete') return list.filter((other) => !isIt(other));
  if (!list.some(isIt)) return [...list, mergeMaps({}, item)];
  return list.map((other) => (isIt(other) ? mergeMaps(other as Json, item) : other));
}

function dropNulls(map: Json): Json {
  return mergeMaps({}, map);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

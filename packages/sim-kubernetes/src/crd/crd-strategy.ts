import type { Draft, JsonObject } from '../registry/json.ts';
import { crdSpec } from './crd-object.ts';
export function applyCrdDefaults(draft: Draft): void {
  const spec = draft['spec'] as Draft | undefined;
  if (!spec) return;
  const names = (spec['names'] ??= {}) as Draft;
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  if ((names['singular'] ?? '') === '') names['singular'] = kind.toLowerCase();
  if ((names['listKind'] ?? '') === '' && kind !== '') names['listKind'] = `${kind}List`;
  spec['conversion'] ??= { strategy: 'None' };
  const status = (draft['status'] ??= {}) as Draft;
  const storage = crdSpec(draft as JsonObject).versions.find((version) => version.storage);
  if (!Array.isArray(status['storedVersions']) || status['storedVersions'].length === 0)
    status['storedVersions'] = storage ? [storage.name] : [];
}

import type { Relation } from '../../engine/l5-sync/target.ts';
import type { AccessObserved } from '../account-object.ts';
import type { WireFields } from '../compare-fields.ts';

/** Of these an account has one, whatever it is called. */
const singletons = new Set(['app_launcher', 'warp', 'biso', 'dash_sso']);

export function isSingleton(type: string): boolean {
  return singletons.has(type);
}

type Wanted = { readonly name: string; readonly type: string; readonly body: WireFields };

/** A public name belongs to one application. Where there is none, an application is known by its name and type. */
export function relationOf({ name, type, body }: Wanted, observed: AccessObserved): Relation {
  const isSameType = observed['type'] === type;
  if (isSingleton(type)) return isSameType ? 'same' : 'none';
  if (body['domain'] === undefined) return isSameType && observed.name === name ? 'same' : 'none';
  if (isSameType && observed['domain'] === body['domain']) return 'same';
  const theirs = new Set(publicNames(observed));
  return type !== 'bookmark' && publicNames(body).some((uri) => theirs.has(uri)) ? 'blocks' : 'none';
}

function publicNames({ domain, destinations }: WireFields): readonly string[] {
  const listed = (destinations ?? []) as readonly { readonly type?: string; readonly uri?: string }[];
  const uris = listed.flatMap(({ type, uri }) => ((type ?? 'public') === 'public' && uri ? [uri] : []));
  return typeof domain === 'string' && domain !== '' ? [domain, ...uris] : uris;
}

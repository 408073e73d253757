import { defineKind } from '@tributary/runtime';
import type { AnyCustomKind, KubeClient, KubeObject } from '@tributary/runtime';

/** What `kubectl apply --dry-run=server` says of a manifest: the object as it would be stored, or the message. */
export type Verdict =
  | { readonly ok: true; readonly stored: KubeObject }
  | { readonly ok: false; readonly message: string };

export async function dryRun(
  client: Pick<KubeClient, 'create'>,
  kinds: readonly AnyCustomKind[],
  manifest: KubeObject,
): Promise<Verdict> {
  const known = kinds.find(({ kind }) => kind === manifest.kind);
  if (!known) return { ok: false, message: `there is no kind ${manifest.kind ?? ''}` };
  const { group, kind, plural, scope } = known;
  const version = manifest.apiVersion?.split('/')[1] ?? '';
  const strictly = { dryRun: true, fieldValidation: 'Strict' } as const;
  try {
    const stored = await client.create(defineKind({ group, version, kind, plural, scope }), manifest, strictly);
    return { ok: true, stored };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

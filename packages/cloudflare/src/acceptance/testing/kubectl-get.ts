import type { AnyCustomKind, Transport } from '@tributary/runtime';

type Table = {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
};

/** What `kubectl get` prints of a kind, a record by column for each row; with `wide` what `-o wide` adds. */
export async function kubectlGet(
  transport: Pick<Transport, 'request'>,
  { group, version, plural }: AnyCustomKind,
  { wide = false }: { readonly wide?: boolean } = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await transport.request({
    method: 'GET',
    path: `/apis/${group}/${version}/${plural}`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  });
  const { columnDefinitions, rows } = JSON.parse(Buffer.from(body).toString()) as Table;
  return rows.map(({ cells }) => {
    const shown = columnDefinitions.map(({ name, priority }, at) => ({ name, priority, cell: cells[at] }));
    const visible = shown.filter(({ priority }) => wide || priority === 0);
    return Object.fromEntries(visible.map(({ name, cell }) => [name, cell]));
  });
}

/**
 * One kubeconfig file, checked and with its paths made absolute. Fields we do not know are left alone, as kubectl
 * does; a field of the wrong type is an error that names file and field, never the value, which may be a secret.
 */
import { dirname, resolve, sep } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';

const text = z.string().nullish();
const flag = z.boolean().nullish();
const extensions = z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish();

const clusterSchema = z.object({
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': flag,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'proxy-url': text,
  'disable-compression': flag,
  extensions,
});

const execSchema = z.object({
  apiVersion: text,
  command: text,
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
});

const userSchema = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
  exec: execSchema.nullish(),
  'auth-provider': z.object({ name: text }).nullish(),
});

const contextSchema = z.object({ cluster: text, user: text, namespace: text });

const fileSchema = z
  .object({
    'current-context': text,
    clusters: z.array(z.object({ name: z.string(), cluster: clusterSchema.nullish() })).nullish(),
    users: z.array(z.object({ name: z.string(), user: userSchema.nullish() })).nullish(),
    contexts: z.array(z.object({ name: z.string(), context: contextSchema.nullish() })).nullish(),
  })
  .nullish();

export type ClusterEntry = z.infer<typeof clusterSchema>;
export type UserEntry = z.infer<typeof userSchema>;
export type ContextEntry = z.infer<typeof contextSchema>;
export type ExecEntry = z.infer<typeof execSchema>;

/** An entry with the file it came from, which errors about it name. */
export type Origin<T> = { readonly value: T; readonly file: string };

export type Kubeconfig = {
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Origin<ClusterEntry>>;
  readonly users: ReadonlyMap<string, Origin<UserEntry>>;
  readonly contexts: ReadonlyMap<string, Origin<ContextEntry>>;
};

export function parseKubeconfig(content: string, file: string): Kubeconfig {
  const parsed = fileSchema.safeParse(readYaml(content, file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidKubeconfig(file, fieldName(issue?.path ?? []), issue?.message ?? 'not a kubeconfig');
  }
  const { clusters, users, contexts, 'current-context': current } = parsed.data ?? {};
  const folder = dirname(resolve(file));
  const absolute = <T extends object>(entry: T, ...fields: readonly (keyof T)[]): T => ({
    ...entry,
    ...resolveAll(entry, fields, folder),
  });
  return {
    currentContext: current || undefined,
    clusters: byName(clusters ?? [], 'clusters', file, ({ cluster }) =>
      absolute(cluster ?? {}, 'certificate-authority'),
    ),
    users: byName(users ?? [], 'users', file, ({ user }) => {
      const entry = absolute(user ?? {}, 'client-certificate', 'client-key', 'tokenFile');
      // A command without a separator is looked up in PATH.
      return entry.exec?.command?.includes(sep) === true ? { ...entry, exec: absolute(entry.exec, 'command') } : entry;
    }),
    contexts: byName(contexts ?? [], 'contexts', file, ({ context }) => context ?? {}),
  };
}

export function invalidKubeconfig(file: string, field: string, what: string): OperatorError {
  const where = field === '' ? file : `${file}: ${field}`;
  return new OperatorError('kubeconfig/invalid', `${where}: ${what}`, { kind: 'never' });
}

function readYaml(content: string, file: string): unknown {
  try {
    return parseYaml(content);
  } catch (error) {
    throw invalidKubeconfig(file, '', (error as Error).message);
  }
}

function byName<E extends { readonly name: string }, T>(
  entries: readonly E[],
  list: string,
  file: string,
  toValue: (entry: E) => T,
): ReadonlyMap<string, Origin<T>> {
  const found = new Map<string, Origin<T>>();
  for (const [index, entry] of entries.entries()) {
    if (found.has(entry.name))
      throw invalidKubeconfig(file, `${list}[${index}].name`, `${entry.name} stands here twice`);
    found.set(entry.name, { value: toValue(entry), file });
  }
  return found;
}

function resolveAll<T extends object>(entry: T, fields: readonly (keyof T)[], folder: string): Partial<T> {
  const paths = fields.flatMap((field) => {
    const path = entry[field];
    return typeof path === 'string' && path !== '' ? [[field, resolve(folder, path)] as const] : [];
  });
  return Object.fromEntries(paths) as Partial<T>;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./u, '');
}

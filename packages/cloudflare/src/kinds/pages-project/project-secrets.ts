import type { Child, Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { SecretUse } from '../../engine/l4-state/secret-use.ts';
import { ownSecret, toUse } from '../../refs/access/used-secret.ts';
import { isSecret } from './environment-config.ts';
import type { PagesProject } from './resource.ts';

export type ProjectSecrets = { readonly uses: SecretUse[]; readonly child?: Child };

type Variable = { readonly path: string; readonly field: string } & NonNullable<
  NonNullable<NonNullable<PagesProject['spec']['deploymentConfigs']>['preview']>['environmentVariables']
>[string];

/** Where the values of secret variables are: in Secrets that they name, or in one of ours for what stands in clear text. */
export function secretsOf(object: PagesProject, refs: Refs): Resolution<ProjectSecrets> {
  const variables = secretVariables(object);
  const inline = variables.filter(({ valueFrom }) => !valueFrom);
  const own = ownSecret(
    'PagesProject',
    object,
    Object.fromEntries(inline.map((each) => [each.path, each.value])),
    refs,
  );
  const named = variables.flatMap(({ valueFrom }) => (valueFrom ? [valueFrom.secretKeyRef.name] : []));
  const uses: SecretUse[] = own ? [own.use] : [];
  for (const name of new Set(named)) {
    const use = useOf(name, variables, object, refs);
    if (!use.ok) return use;
    uses.push(use.value);
  }
  return { ok: true, value: { uses, ...(own && { child: own.child }) } };
}

function secretVariables({ spec }: PagesProject): readonly Variable[] {
  return (['preview', 'production'] as const).flatMap((environment) =>
    Object.entries(spec.deploymentConfigs?.[environment]?.environmentVariables ?? {})
      .filter(([, variable]) => isSecret(variable))
      .map(([name, variable]) => ({
        ...variable,
        path: `deployment_configs.${environment}.env_vars.${name}.value`,
        field: `spec.deploymentConfigs.${environment}.environmentVariables.${name}`,
      })),
  );
}

function useOf(
  name: string,
  variables: readonly Variable[],
  { metadata }: PagesProject,
  refs: Refs,
): Resolution<SecretUse> {
  const place = { namespace: metadata.namespace ?? '', name };
  const using = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef.name === name);
  const secret = refs.secret(place);
  const at = `${using[0]?.field ?? ''}.valueFrom.secretKeyRef`;
  if (!secret.ok) {
    const state = secret.reason === 'NotReady' ? 'waiting' : 'broken';
    return { ok: false, state, reason: 'SecretNotFound', message: `${at}: ${secret.message}` };
  }
  const { data = {} } = secret.value;
  const entries = Object.fromEntries(using.map(({ path, valueFrom }) => [path, valueFrom?.secretKeyRef.key ?? '']));
  const lacking = Object.values(entries).find((key) => data[key] === undefined);
  if (lacking !== undefined) {
    const message = `${at}: Secret ${name} has no ${lacking}`;
    return { ok: false, state: 'broken', reason: 'InvalidSecret', message };
  }
  const values = Object.entries(entries).map(([path, key]) => [
    path,
    Buffer.from(data[key] ?? '', 'base64').toString(),
  ]);
  return { ok: true, value: toUse(place, entries, Object.fromEntries(values) as Record<string, string>, metadata.uid) };
}

import { z } from 'zod';

// `spec.deploymentConfigs.preview` and `.production`: what pages and their functions run with.

const text = z.string();
const words = text.optional();
const name = text.describe('What the code calls it');

const variable = z.object({
  value: words,
  type: z.enum(['plain_text', 'secret_text']).default('plain_text'),
  valueFrom: z
    .object({ secretKeyRef: z.object({ name: text, key: text }) })
    .optional()
    .describe('The value is in a Secret beside this object; it is sent as secret_text'),
});

export const environmentConfig = z.object({
  environmentVariables: z.record(text, variable).optional().describe('Others than these are left as they are'),
  compatibilityDate: words,
  compatibilityFlags: z.array(text).optional(),
  usageModel: z
    .enum(['bundled', 'unbound'])
    .optional()
    .describe('Sent, and of no effect: Cloudflare has one model left'),
  failOpen: z.boolean().optional().describe('The same for preview and production'),
  alwaysUseLatestCompatibilityDate: z.boolean().optional(),
  d1Bindings: z.array(z.object({ name, databaseId: text })).optional(),
  kvBindings: z.array(z.object({ name, namespaceId: text })).optional(),
  r2Bindings: z.array(z.object({ name, bucketName: text })).optional(),
  serviceBindings: z.array(z.object({ name, service: text, environment: words })).optional(),
  durableObjectBindings: z
    .array(
      z.object({
        name,
        className: text,
        scriptName: words,
        environmentName: words,
        namespaceId: words.describe('Cloudflare binds Durable Objects to Pages by this id and by nothing else'),
      }),
    )
    .optional(),
  queueBindings: z.array(z.object({ name, queueName: text })).optional(),
  aiBindings: z.array(z.object({ name })).optional(),
  vectorizeBindings: z.array(z.object({ name, indexName: text })).optional(),
  hyperdriveBindings: z.array(z.object({ name, id: text })).optional(),
  mtlsCertificates: z.array(z.object({ name, certificateId: text })).optional(),
  browserBinding: z.object({ name: text.default('BROWSER') }).optional(),
  placement: z.object({ mode: text.default('smart') }).optional(),
});

export type EnvironmentConfig = z.output<typeof environmentConfig>;
type Named = { readonly name: string };

/** In the words of the API, but for the values of secrets. */
export function toWireConfig(config: EnvironmentConfig): Readonly<Record<string, unknown>> {
  const { environmentVariables, browserBinding } = config;
  const fields = {
    env_vars: environmentVariables && toVariables(environmentVariables),
    compatibility_date: config.compatibilityDate,
    compatibility_flags: config.compatibilityFlags,
    usage_model: config.usageModel,
    fail_open: config.failOpen,
    always_use_latest_compatibility_date: config.alwaysUseLatestCompatibilityDate,
    d1_databases: toMap(config.d1Bindings, ({ databaseId }) => ({ id: databaseId })),
    kv_namespaces: toMap(config.kvBindings, ({ namespaceId }) => ({ namespace_id: namespaceId })),
    r2_buckets: toMap(config.r2Bindings, ({ bucketName }) => ({ name: bucketName })),
    services: toMap(config.serviceBindings, ({ service, environment }) => ({
      service,
      ...(environment && { environment }),
    })),
    durable_object_namespaces: toMap(config.durableObjectBindings, ({ namespaceId }) => ({
      namespace_id: namespaceId,
    })),
    queue_producers: toMap(config.queueBindings, ({ queueName }) => ({ name: queueName })),
    ai_bindings: toMap(config.aiBindings, () => ({ project_id: '' })),
    vectorize_bindings: toMap(config.vectorizeBindings, ({ indexName }) => ({ index_name: indexName })),
    hyperdrive_bindings: toMap(config.hyperdriveBindings, ({ id }) => ({ id })),
    mtls_certificates: toMap(config.mtlsCertificates, ({ certificateId }) => ({ certificate_id: certificateId })),
    browsers: browserBinding && { [browserBinding.name]: {} },
    placement: config.placement,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

export function configProblems(at: string, config: EnvironmentConfig): readonly string[] {
  const { environmentVariables = {}, durableObjectBindings = [] } = config;
  return [
    ...Object.entries(environmentVariables).flatMap(([variableName, { value, valueFrom }]) => {
      const path = `${at}.environmentVariables.${variableName}`;
      if (!/^[A-Za-z_]\w*$/.test(variableName)) return [`${path}: a name has letters, digits and _, no digit first`];
      return value && valueFrom ? [`${path}: value and valueFrom cannot both be given`] : [];
    }),
    ...durableObjectBindings.flatMap(({ namespaceId }, index) =>
      namespaceId
        ? []
        : [`${at}.durableObjectBindings[${index}].namespaceId: Cloudflare knows the class by this id, and asks for it`],
    ),
  ];
}

export function isSecret({ type, valueFrom }: z.output<typeof variable>): boolean {
  return type === 'secret_text' || valueFrom !== undefined;
}

function toVariables(variables: NonNullable<EnvironmentConfig['environmentVariables']>): object {
  return Object.fromEntries(
    Object.entries(variables).map(([key, each]) => [
      key,
      isSecret(each) ? { type: 'secret_text' } : { type: 'plain_text', value: each.value ?? '' },
    ]),
  );
}

function toMap<B extends Named>(
  bindings: readonly B[] | undefined,
  toWire: (binding: B) => object,
): object | undefined {
  return bindings && Object.fromEntries(bindings.map((binding) => [binding.name, toWire(binding)]));
}

import { SpanStatusCode, context, trace } from '@opentelemetry/api';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { redactText } from './redact.ts';

export type TracingOptions = {
  /** Where spans go by OTLP over HTTP, for example `http://collector:4318`. Without it nothing is traced. */
  readonly endpoint?: string | undefined;
  readonly serviceName: string;
  readonly serviceVersion?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Tracing = {
  readonly tracer: Tracer;
  readonly enabled: boolean;
  /** Sends what waits and ends. */
  readonly shutdown: () => Promise<void>;
};

/**
 * Tracing costs nothing until an endpoint is given: the SDK is loaded only then. Code that makes spans sees
 * nothing but @opentelemetry/api.
 */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  const { endpoint, serviceName, serviceVersion } = options;
  if (!endpoint) return { tracer: trace.getTracer(serviceName), enabled: false, shutdown: async () => undefined };
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { createAsyncContext },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('./async-context.ts'),
  ]);
  const exporter = new OTLPTraceExporter({ url: toTracesUrl(endpoint), headers: { ...options.headers } });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      ...(serviceVersion !== undefined && { 'service.version': serviceVersion }),
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(createAsyncContext());
  return {
    tracer: provider.getTracer(serviceName),
    enabled: true,
    shutdown: async () => {
      await provider.shutdown();
      trace.disable();
      context.disable();
    },
  };
}

/** Runs `work` inside a span that ends with it and tells of its failure. */
export async function inSpan<T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const { name: type, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
      span.recordException({ name: type, message: redactText(message) });
      span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(message) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The endpoint is a base, as OTEL_EXPORTER_OTLP_ENDPOINT is, or the whole address. */
function toTracesUrl(endpoint: string): string {
  return endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}

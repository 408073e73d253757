import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { context, createContextKey, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createAsyncContext } from './async-context.ts';
import { createTracing, inSpan } from './tracing.ts';

type OtlpSpan = {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number; readonly message?: string };
};
type OtlpBody = {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
};

type Request = { readonly url: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: OtlpBody };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function collector(): Promise<{ readonly url: string; readonly requests: readonly Request[] }> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as OtlpBody;
      requests.push({ url: request.url ?? '', headers: request.headers, body });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe('tracing without an endpoint', () => {
  test('loads nothing of the SDK', () => {
    const script = `import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
      const { createTracing, inSpan } = await import(${JSON.stringify(join(import.meta.dirname, 'tracing.ts'))});
      const load = async (endpoint) => {
        const { tracer, shutdown } = await createTracing({ serviceName: 'x', endpoint });
        await inSpan(tracer, 'work', {}, async () => 1);
        return { shutdown, loaded: seen.filter((name) => /sdk-trace|exporter|resources/.test(name)).length };
      };
      const without = await load(undefined);
      const withOne = await load('http://127.0.0.1:9');
      console.log(JSON.stringify([without.loaded, withOne.loaded > 0, seen.includes('@opentelemetry/api')]));
      process.exit(0);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(JSON.parse(output)).toEqual([0, true, true]);
  });
  test('runs the work all the same', async () => {
    const { tracer, enabled, shutdown } = await createTracing({ serviceName: 'x' });
    expect(enabled).toBe(false);
    expect(await inSpan(tracer, 'work', { a: 1 }, async (span) => Promise.resolve(span.isRecording()))).toBe(false);
    await shutdown();
  });
});

describe('tracing with an endpoint', () => {
  test('sends spans there, with their parents across awaits', async () => {
    const { url, requests } = await collector();
    const options = {
      endpoint: `${url}/`,
      serviceName: 'tributary',
      serviceVersion: '1',
      headers: { 'x-tenant': 't' },
    };
    const { tracer, enabled, shutdown } = await createTracing(options);
    expect(enabled).toBe(true);
    await inSpan(tracer, 'outer', { key: 'a/b' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await inSpan(trace.getTracer('elsewhere'), 'inner', {}, async () => Promise.resolve());
    });
    await shutdown();
    expect(requests.map((request) => [request.url, request.headers['x-tenant']])).toEqual([['/v1/traces', 't']]);
    const [{ resource, scopeSpans } = expect.fail('no spans')] = requests[0]!.body.resourceSpans;
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    const [inner, outer] = ['inner', 'outer'].map((name) => spans.find((span) => span.name === name));
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(outer?.parentSpanId ?? '').toBe('');
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'tributary' } });
  });
  test('marks a span whose work failed, without secrets, and lets the error pass', async () => {
    const { url, requests } = await collector();
    const { tracer, shutdown } = await createTracing({ endpoint: `${url}/v1/traces`, serviceName: 'tributary' });
    const error = new Error('refused with Bearer abcdefgh12345');
    await expect(inSpan(tracer, 'work', {}, async () => Promise.reject(error))).rejects.toBe(error);
    await shutdown();
    const text = JSON.stringify(requests[0]!.body);
    expect(text).toContain('refused with Bearer [redacted]');
    expect(text).not.toContain('abcdefgh12345');
    expect(requests[0]!.body.resourceSpans[0]!.scopeSpans[0]!.spans[0]!.status.code).toBe(2);
  });
});

describe('the context of async work', () => {
  const key = createContextKey('key');
  test('follows awaits and bound functions', async () => {
    const manager = createAsyncContext().enable();
    const inside = context.active().setValue(key, 'inside');
    const read = (): unknown => manager.active().getValue(key);
    const seen = await manager.with(inside, async () => {
      await Promise.resolve();
      return read();
    });
    expect([seen, read(), manager.bind(inside, read)(), manager.bind(inside, 5)]).toEqual([
      'inside',
      undefined,
      'inside',
      5,
    ]);
    manager.disable();
  });
});

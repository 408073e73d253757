import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the next request gets instead of an answer of the server. */
export type ProxyAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A proxy in front of a real API server that can spoil what passes through it. */
export type FaultyProxy = {
  readonly url: string;
  /** Watches that are open now. */
  readonly watches: () => number;
  /** Requests so far, without watches. */
  readonly requests: () => number;
  /** The connections of all open watches are reset. */
  readonly reset: () => void;
  /** All open watches end cleanly, as after their timeout. */
  readonly end: () => void;
  /** Nothing passes on the open watches any more, and nothing tells. */
  readonly stall: () => void;
  /** A line of our own goes into all open watches. */
  readonly inject: (line: string) => void;
  /** The next requests of that sort are answered by us. */
  readonly answer: (sort: 'watch' | 'other', ...answers: readonly ProxyAnswer[]) => void;
  /** Every connection is reset and new ones too, until told otherwise. */
  readonly refuse: (refusing: boolean) => void;
  readonly close: () => Promise<void>;
};

type OpenWatch = { readonly answer: ServerResponse; readonly upstream: IncomingMessage };
type Target = { readonly url: string; readonly ca: string };

export async function startFaultyProxy(target: Target): Promise<FaultyProxy> {
  const open = new Set<OpenWatch>();
  const answers: Record<'watch' | 'other', ProxyAnswer[]> = { watch: [], other: [] };
  let requests = 0;
  let refusing = false;

  const server = createServer((request, answer) => {
    const isWatch = new URL(request.url ?? '/', target.url).searchParams.get('watch') === 'true';
    if (!isWatch) requests += 1;
    const instead = refusing ? undefined : answers[isWatch ? 'watch' : 'other'].shift();
    if (refusing) request.socket.resetAndDestroy();
    else if (instead) answer.writeHead(instead.status, instead.headers).end(JSON.stringify(instead.body ?? {}));
    else forward(target, request, answer, isWatch ? open : undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const reset = (): void => open.forEach(({ answer }) => void answer.socket?.resetAndDestroy());
  const stall = (): void => open.forEach(({ upstream }) => void upstream.removeAllListeners('data'));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watches: () => open.size,
    requests: () => requests,
    reset,
    end: () => {
      stall();
      for (const { answer } of open) answer.end();
    },
    stall,
    inject: (line) => open.forEach(({ answer }) => void answer.write(`${line}\n`)),
    answer: (sort, ...more) => void answers[sort].push(...more),
    refuse: (on) => {
      refusing = on;
      if (on) reset();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `watches` is set for a watch: where it is to be found while it is open. */
function forward(
  target: Target,
  request: IncomingMessage,
  answer: ServerResponse,
  watches: Set<OpenWatch> | undefined,
): void {
  const url = new URL(request.url ?? '/', target.url);
  const options = { method: request.method, headers: request.headers, ca: target.ca };
  const outgoing = httpsRequest(url, options, (upstream) => {
    answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
    if (watches && upstream.statusCode === 200) relay({ answer, upstream }, watches);
    else upstream.pipe(answer);
    upstream.on('error', () => answer.destroy());
  });
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

/** Passes whole lines only, so that what is put in between stands on its own. */
function relay(watch: OpenWatch, open: Set<OpenWatch>): void {
  const { answer, upstream } = watch;
  let rest = Buffer.alloc(0);
  open.add(watch);
  answer.flushHeaders();
  upstream.on('data', (chunk: Buffer) => {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end > 0) answer.write(bytes.subarray(0, end));
  });
  upstream.on('end', () => answer.end());
  answer.on('close', () => open.delete(watch));
}

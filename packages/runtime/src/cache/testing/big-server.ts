/**
 * A worker thread that serves a large kind over HTTP without looking at it twice: pages of a list, a watch-list, and a
 * watch that sends a change of every object as fast as the connection takes it. It posts its port when it listens.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { widgetJson } from './widget-json.ts';

const { objects } = workerData as { readonly objects: number };

function sendPage(answer: ServerResponse, query: URLSearchParams): void {
  const start = Number(query.get('continue') ?? 0);
  const limit = Number(query.get('limit') ?? objects);
  const end = Math.min(start + limit, objects);
  const items = Array.from({ length: end - start }, (_, at) => widgetJson(start + at, start + at + 1)).join(',');
  const next = end < objects ? `,"continue":"${end}"` : '';
  answer.end(`{"metadata":{"resourceVersion":"${objects}"${next}},"items":[${items}]}`);
}

async function sendEvents(answer: ServerResponse, type: string, firstRevision: number): Promise<void> {
  for (let index = 0; index < objects; index += 1) {
    const line = `{"type":"${type}","object":${widgetJson(index, firstRevision + index)}}\n`;
    if (!answer.write(line)) await new Promise((resolve) => answer.once('drain', resolve));
  }
}

async function sendWatch(answer: ServerResponse, query: URLSearchParams): Promise<void> {
  if (query.get('sendInitialEvents') === 'true') {
    await sendEvents(answer, 'ADDED', 1);
    const annotations = '{"k8s.io/initial-events-end":"true"}';
    const metadata = `{"resourceVersion":"${objects}","annotations":${annotations}}`;
    answer.write(`{"type":"BOOKMARK","object":{"metadata":${metadata}}}\n`);
  }
  await sendEvents(answer, 'MODIFIED', objects + 1);
}

const server = createServer((request, answer) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  answer.setHeader('content-type', 'application/json');
  if (query.get('watch') === 'true') void sendWatch(answer, query);
  else sendPage(answer, query);
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port, []));

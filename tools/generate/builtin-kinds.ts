// Makes what packages/sim-kubernetes knows of the built-in kinds from a real kube-apiserver and the published Go sources:
// src/wire, and src/kinds/golden with what the server makes of objects.
import type { IncomingMessage } from 'node:http';
import { Agent, request as open } from 'node:https';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { startControlPlane } from '../control-plane/start-control-plane.ts';
import type { ControlPlane } from '../control-plane/start-control-plane.ts';
import { coreGoldenInputs } from './builtin-golden-core.ts';
import { groupGoldenInputs } from './builtin-golden-groups.ts';
import { workloadGoldenInputs } from './builtin-golden-workloads.ts';
import type { SendAny, SendJson } from './builtin-golden.ts';
import { captureRefusals } from './builtin-golden-refusals.ts';
import { coreRefusalInputs } from './builtin-refusals-core.ts';
import { groupRefusalInputs } from './builtin-refusals-groups.ts';
import { captureGolden } from './builtin-golden.ts';
import type { ReadJson } from './builtin-resources.ts';
import { createGoPackageReader, generateWire, mark } from './builtin-wire.ts';

const source = 'packages/sim-kubernetes/src';
const goModule = join(import.meta.dirname, '../control-plane/kubernetes');

const inputs = [...coreGoldenInputs, ...workloadGoldenInputs, ...groupGoldenInputs];

/** Paths below the repository with what belongs there. Needs Go and the real control plane. */
export async function generateBuiltinKinds(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, string>> {
  const plane = await startControlPlane({}, env);
  const { readJson, sendJson, sendAny, close } = connect(plane);
  try {
    const files = new Map<string, string>();
    const wire = await generateWire(readJson, createGoPackageReader(goModule));
    for (const [name, content] of wire) files.set(`${source}/wire/${name}`, content);
    const golden = await captureGolden(inputs, readJson, sendJson);
    for (const [name, found] of golden) {
      files.set(`${source}/kinds/golden/${name}.json`, `${JSON.stringify({ ...mark, ...found }, null, 2)}\n`);
    }
    const refusals = await captureRefusals([...coreRefusalInputs, ...groupRefusalInputs], sendAny);
    files.set(`${source}/kinds/golden/refusals.json`, `${JSON.stringify({ ...mark, refusals }, null, 2)}\n`);
    return files;
  } finally {
    close();
    await plane.stop();
  }
}

type Connection = {
  readonly readJson: ReadJson;
  readonly sendJson: SendJson;
  readonly sendAny: SendAny;
  readonly close: () => void;
};

function connect({ url, ca, token }: Pick<ControlPlane, 'url' | 'ca' | 'token'>): Connection {
  const agent = new Agent({ ca, keepAlive: true });
  const ask = async (method: string, path: string, accept: string, body?: unknown): ReturnType<SendAny> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const content = body === undefined ? '' : JSON.stringify(body);
    // Node writes no length of its own to a DELETE.
    const length = String(Buffer.byteLength(content));
    const headers = { accept, authorization: `Bearer ${token}`, 'content-type': type, 'content-length': length };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      open(url + path, { method, agent, headers }, resolve)
        .on('error', reject)
        .end(content);
    });
    return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
  };
  const request = async (method: string, path: string, accept: string, body?: unknown): Promise<unknown> => {
    const answer = await ask(method, path, accept, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  return {
    readJson: (path, accept = 'application/json') => request('GET', path, accept),
    sendJson: (method, path, body) => request(method, path, 'application/json', body),
    sendAny: (method, path, body) => ask(method, path, 'application/json', body),
    close: () => agent.destroy(),
  };
}

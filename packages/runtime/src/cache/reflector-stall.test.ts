import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';

const objects = 20_000;
let server: Worker;
let port = 0;

beforeAll(async () => {
  server = new Worker(new URL('./testing/big-server.ts', import.meta.url), { workerData: { objects } });
  [port] = (await once(server, 'message')) as [number];
});
afterAll(async () => void (await server.terminate()));

// One list of all objects in one piece would take some 300 ms to parse.
test.each([{ watchList: true }, { watchList: false }])(
  'neither a large sync nor a flood of events keeps timers waiting (watch-list: $watchList)',
  async ({ watchList }) => {
    const workerData = { port, objects, watchList };
    const meter = new Worker(new URL('./testing/stall-meter.ts', import.meta.url), { workerData });
    const [{ size, stallMs }] = (await once(meter, 'message')) as [{ size: number; stallMs: number }];
    await meter.terminate();
    expect(size).toBe(objects);
    expect(stallMs).toBeLessThan(150);
  },
  30_000,
);

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AnyObject } from '@tributary/runtime';
import { createProgram } from './create-program.ts';
import { greetingScene } from './playground/greeting-scene.ts';
import type { Example, OpenScene, Stage } from './playground/scene.ts';
import { runPlayground } from './playground/run-playground.ts';
import { simCloudflare } from './commands/sim-cloudflare.ts';
import { simKubernetes } from './commands/sim-kubernetes.ts';

let folder: string;
let said: string[];
const shell = { say: (line: string) => void said.push(line), until: async () => undefined };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the playground runs until every example is ready and says so in one line of JSON', async () => {
  const kubeconfig = join(folder, 'deep', 'kubeconfig');
  expect(await runPlayground({ once: true, json: true, port: 0, kubeconfig }, shell)).toBe(true);
  expect(said).toHaveLength(1);
  const result = JSON.parse(said[0] ?? '') as { readonly objects: number; readonly ready: number };
  expect(result).toMatchObject({ converged: true, ready: result.objects });
  expect(result.objects).toBeGreaterThan(10);
  expect(readFileSync(kubeconfig, 'utf8')).toContain('https://127.0.0.1:');
});

test('the playground fails when an example does not become ready', async () => {
  const never = (_: Example, { metadata }: AnyObject): boolean => metadata.name !== 'world';
  const open = async (stage: Stage): Promise<OpenScene> => ({ ...(await greetingScene.open(stage)), isReady: never });
  const scenes = [{ ...greetingScene, open }];
  const options = { once: true, json: true, port: 0, kubeconfig: join(folder, 'kubeconfig'), scenes, convergeMs: 300 };
  expect(await runPlayground(options, shell)).toBe(false);
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ converged: false, objects: 3, ready: 2 });
});

test('the playground without --once shows what happens and what to try', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  await runPlayground({ once: false, json: false, port: 0, kubeconfig, scenes: [greetingScene] }, shell);
  const text = said.join('\n');
  expect(text).toMatch(/Greeting +default\/world +Hello, world!/);
  expect(text).toContain(`export KUBECONFIG=${join(folder, 'kubeconfig')}`);
});

test('the embedded API server alone tells how to reach it, and keeps its state where it is told to', async () => {
  const options = { port: 0, kubeconfig: join(folder, 'kubeconfig'), snapshot: join(folder, 'state'), node: ['one'] };
  await simKubernetes(options, shell);
  expect(said[0]).toMatch(/^API server {3}https:\/\/127\.0\.0\.1:\d+$/);
  expect(existsSync(join(folder, 'state'))).toBe(true);
});

test('the simulated Cloudflare API tells what a client needs', async () => {
  let answer: { readonly success?: boolean } = {};
  const until = async (): Promise<void> => {
    const [, url = ''] = /BASE_URL=(\S+)/.exec(said.join('\n')) ?? [];
    const [, token = ''] = /token +(\S+)/.exec(said.join('\n')) ?? [];
    const got = await fetch(`${url}/user/tokens/verify`, { headers: { authorization: `Bearer ${token}` } });
    answer = (await got.json()) as typeof answer;
  };
  await simCloudflare({ port: 0, latency: 0, rateLimit: true, verbose: true }, { ...shell, until });
  expect(answer.success).toBe(true);
  expect(said.join('\n')).toMatch(/zone +[0-9a-f]{32} +example.com/);
  expect(said.at(-1)).toMatch(/^GET +\/user\/tokens\/verify +200/);
});

/** What the command prints, on either side. */
async function run(...args: string[]): Promise<string> {
  let printed = '';
  const write = (text: string): void => void (printed += text);
  const program = createProgram({ host: process, say: shell.say });
  for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
    command.exitOverride().configureOutput({ writeErr: write, writeOut: write });
  }
  await program.parseAsync(args, { from: 'user' }).catch(() => undefined);
  return printed;
}

test('the version is a number', async () => {
  expect(await run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('help shows the defaults of durations as a person writes them', async () => {
  const help = await run('run', 'cloudflare', '--help');
  for (const duration of ['500ms', '2s', '1h']) expect(help).toContain(`(default: ${duration})`);
});

describe('bad input', () => {
  test('a port that is none is refused by name', async () => {
    expect(await run('sim', 'kubernetes', '--port', '99999')).toContain('a port is a whole number from 0 to 65535');
  });

  const wrong: readonly (readonly [flags: readonly string[], complaint: string])[] = [
    [['--debounce', 'soon'], "option '--debounce <duration>' argument 'soon' is invalid. a duration such as 500ms"],
    [['--debounce', '5s'], '--max-wait must not be less than --debounce'],
    [['--max-deletion-share', '300'], "'300' is invalid. a whole number from 0 to 100"],
    [['--max-deletions', '-1'], "'-1' is invalid. a whole number, 0 or more"],
    [['--leader-elect=perhaps'], "'perhaps' is invalid. true or false"],
    [['--watch-namespace', 'a'], "unknown option '--watch-namespace'"],
    [['--log-level', 'loud'], 'Allowed choices are debug, info, warn, error'],
  ];
  test.each(wrong)('run cloudflare %s is refused by the name of the flag', async (flags, complaint) => {
    expect(await run('run', 'cloudflare', ...flags)).toContain(complaint);
  });

  test('an option that nobody knows is refused, with help', async () => {
    expect(await run('playground', '--fast')).toContain("unknown option '--fast'");
  });
});

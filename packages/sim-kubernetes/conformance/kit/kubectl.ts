import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type KubectlResult = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Kubectl = {
  readonly run: (args: readonly string[], stdin?: string) => Promise<KubectlResult>;
  /** Runs until that many lines came or two seconds passed since the last one, then ends it. */
  readonly lines: (args: readonly string[], count: number) => Promise<readonly string[]>;
  readonly remove: () => void;
};

/** kubectl with a kubeconfig, a cache and a home of its own, so that nothing of the user's is read or written. */
export function createKubectl(binary: string, kubeconfig: string, namespace: string): Kubectl {
  const home = mkdtempSync(join(tmpdir(), 'tributary-kubectl-'));
  const config = join(home, 'kubeconfig');
  writeFileSync(config, kubeconfig, { mode: 0o600 });
  const fixed = ['--kubeconfig', config, '--cache-dir', join(home, 'cache'), '--namespace', namespace];
  const open = (args: readonly string[]): ReturnType<typeof spawn> =>
    spawn(binary, [...fixed, ...args], {
      env: { HOME: home, PATH: process.env['PATH'] ?? '', TZ: 'UTC' },
      stdio: 'pipe',
    });
  return {
    run: (args, stdin) => finished(open(args), stdin),
    lines: (args, count) => firstLines(open(args), count),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function finished(child: ReturnType<typeof spawn>, stdin?: string): Promise<KubectlResult> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin?.end(stdin ?? '');
  });
}

function firstLines(child: ReturnType<typeof spawn>, count: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    let text = '';
    const complete = (): readonly string[] => text.split('\n').slice(0, -1);
    const timer = setTimeout(() => child.kill(), 15_000);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (complete().length >= count) child.kill();
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(complete());
    });
    child.stdin?.end();
  });
}

const masks: readonly (readonly [RegExp, string])[] = [
  // What kubectl logs of its own timeouts depends on the moment.
  [/^[EWI]\d{4} \d\d:\d\d.*\n/gm, ''],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?\+0000|Z)?/g, '<time>'],
  [/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<time>'],
  [/("?resourceVersion"?: )"\d+"/g, '$1"<version>"'],
  [/(Resource Version:\s+)\d+/g, '$1<version>'],
  // Some messages quote the patch or the patched object, with its managedFields.
  [/Invalid value: "(\{|map\[).*?(\}|\])": /gs, 'Invalid value: "<object>": '],
  [/\b10\.96\.\d+\.\d+\b/g, '<clusterIP>'],
  // The names of ReplicaSets and pods hold a hash and a random part.
  [/\b([a-z]+)-[bcdfghjklmnpqrstvwxz2456789]{8,10}(-[bcdfghjklmnpqrstvwxz2456789]{5})?\b/g, '$1-<hash>'],
  [/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<random>'],
  [/\b(\d+[smh])+\b/g, '<age>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/https:\/\/127\.0\.0\.1:\d+/g, '<server>'],
  [/\/tmp\/(LIVE|MERGED)-\d+\/\S*/g, '<$1>'],
  // Columns are as wide as their widest cell, and ages have many widths.
  [/[ \t]{2,}/g, '  '],
  [/[ \t]+$/gm, ''],
];

/** What differs between two runs of the same command on two servers. */
export function maskedOutput(text: string): string {
  return masks.reduce((masking, [pattern, mask]) => masking.replaceAll(pattern, mask), text);
}

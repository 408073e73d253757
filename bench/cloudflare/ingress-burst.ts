import type { BenchOptions } from '../bench-options.ts';
import { forEachOf } from '../runtime/for-each-of.ts';
import { tally, writesOf } from '../audit-log.ts';
import { operatorAgent, startBenchWorld } from './bench-world.ts';
import { applyTunnelAndClass, ingressKind, newIngress, rulesOf } from './ingress-fixtures.ts';
import { until } from '../until.ts';

const maximumWaitSeconds = 2;

/** Many Ingresses on one tunnel, created in parallel, with three replicas: how often the tunnel is written, and what it costs. */
export async function benchIngressBurst({ objects = 1000, say }: BenchOptions): Promise<unknown> {
  const world = await startBenchWorld(say);
  const stopReplicas = world.startReplicas(3);
  try {
    const tunnelId = await applyTunnelAndClass(world);
    world.audit.take();
    world.sim.journal.clear();
    say(`creating ${objects} Ingresses`);
    const startMs = performance.now();
    await forEachOf(objects, 50, async (index) => {
      await world.client.create(ingressKind, newIngress(index));
    });
    const burstSeconds = (performance.now() - startMs) / 1000;
    await until('every rule is in the tunnel', () => rulesOf(world, tunnelId).length > objects, 120_000);
    const settledSeconds = (performance.now() - startMs) / 1000;
    // What is still under way counts: a call is in the journal when it has been answered.
    await world.quiet(5000);
    const entries = writesOf(operatorAgent, world.audit.take());
    const specWrites = entries.filter(
      ({ resource, subresource, code, name, verb }) =>
        resource === 'cloudflaresyncstates' &&
        subresource === undefined &&
        code < 400 &&
        (verb === 'create' || (name ?? '').startsWith('tunnel-configuration')),
    );
    const puts = world.sim.journal.calls({ method: 'PUT' }).filter(({ path }) => path.endsWith('/configurations'));
    const hosts = new Set(rulesOf(world, tunnelId).map(({ hostname }) => hostname));
    const lost = Array.from({ length: objects }, (_, index) => newIngress(index).spec.rules[0]?.host).filter(
      (host) => !hosts.has(host),
    );
    say(JSON.stringify(tally(entries)));
    return {
      ingresses: objects,
      burstSeconds: round(burstSeconds),
      settledSeconds: round(settledSeconds),
      puts: puts.length,
      putsAllowed: Math.floor(2 + burstSeconds / maximumWaitSeconds),
      syncStateWrites: specWrites.length,
      rulesLost: lost.length,
    };
  } finally {
    await stopReplicas();
    await world.stop();
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

import { sleep } from '@tributary/runtime/clock';
import type { Clock } from '@tributary/runtime/clock';
import type { FaultPlan } from '../faults/create-fault-plan.ts';
import type { Fault } from '../faults/fault-rule.ts';
import { isAfterEffect, shapeFault, throttled, toInjection } from '../faults/shape-fault.ts';
import type { Injection } from '../faults/shape-fault.ts';
import type { Journal } from '../journal/create-journal.ts';
import { redactParams } from '../journal/redact-params.ts';
import type { World } from '../world.ts';
import type { Action } from './action.ts';
import type { Throttle } from './create-throttle.ts';
import type { TokenMemory } from './create-token-memory.ts';
import { openCall } from './open-call.ts';
import type { OpenedCall } from './open-call.ts';
import { refused, success } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { RpcCall } from './rpc-call.ts';

export type RpcAnswer = { readonly outcome: Outcome; readonly requestId: string };

export type RpcHandlerDeps = {
  readonly clock: Clock;
  readonly world: World;
  readonly actions: ReadonlyMap<string, Action>;
  readonly throttle: Throttle;
  readonly faults: FaultPlan;
  readonly tokens: TokenMemory;
  readonly journal: Journal;
  readonly regionId: string;
  readonly latencyMs: number;
  /** Told when a `crash` fault strikes. */
  readonly onCrash: () => void;
};

/** One call from arrival to answer. The effect happens in one step, halfway through the latency. */
export function createRpcHandler(deps: RpcHandlerDeps): (call: RpcCall) => Promise<RpcAnswer> {
  const { clock, faults, journal } = deps;
  const pause = async (ms: number): Promise<void> => (ms > 0 ? sleep(clock, ms) : undefined);

  return async (call) => {
    const startedMs = clock.monotonic();
    const time = new Date(clock.now()).toISOString();
    const requestId = deps.world.ids.requestId();
    const opened = openCall(call, deps.actions);
    const write = opened.action?.write ?? false;
    const accessKeyId = opened.caller?.id ?? '';
    const waitMs = opened.action && opened.caller && deps.throttle.take(opened.caller.accountId, call.action);
    const drawn = waitMs === undefined ? faults.draw({ ...call, write, accessKeyId }) : [];
    const injection = toInjection(drawn);
    const travelMs = (deps.latencyMs + injection.latencyMs) / 2;
    const effect = waitMs === undefined ? prepare(call, opened, injection, deps) : () => throttled(waitMs);
    await pause(travelMs);
    const outcome = effect();
    // A caller that is dead does not wait.
    await pause(outcome.kind === 'crashed' ? 0 : travelMs);
    const durationMs = clock.monotonic() - startedMs;
    const { status, code, changed, replayed } = outcome;
    const { action, via, userAgent } = call;
    const params = redactParams(call.params);
    const kinds = drawn.map(({ kind }: Fault) => kind);
    const who = { accessKeyId, userAgent, via, write };
    const what = { action, params, status, code, changed, replayed, faults: kinds };
    journal.record({ time, requestId, durationMs, ...who, ...what });
    return { outcome, requestId };
  };
}

/** Takes the ClientToken at once, so that a second call with it finds the first one running. */
function prepare(call: RpcCall, opened: OpenedCall, { terminal }: Injection, deps: RpcHandlerDeps): () => Outcome {
  const strike = terminal?.kind === 'crash' ? deps.onCrash : () => {};
  if (terminal && !isAfterEffect(terminal)) {
    const outcome = shapeFault(terminal);
    const sticks = terminal.kind === 'error' && terminal.sticks === true;
    const effect = sticks ? withToken(call, opened, deps, () => outcome) : () => outcome;
    return () => {
      strike();
      return effect();
    };
  }
  const effect = withToken(call, opened, deps, () => perform(call, opened, deps));
  return () => {
    const done = effect();
    strike();
    return terminal ? { ...shapeFault(terminal), changed: done.changed } : done;
  };
}

/** The effect, or what the call's token makes of it. */
function withToken(
  call: RpcCall,
  { action, caller }: OpenedCall,
  { tokens }: RpcHandlerDeps,
  effect: () => Outcome,
): () => Outcome {
  if (!action?.byToken || !caller) return effect;
  try {
    const verdict = tokens.begin(`${caller.accountId} ${action.name}`, call.params);
    if (!verdict) return effect;
    if (verdict.kind === 'replay') return () => ({ ...verdict.outcome, changed: false, replayed: true });
    return () => {
      const outcome = effect();
      verdict.settle(outcome);
      return outcome;
    };
  } catch (error) {
    return () => refused(error);
  }
}

function perform(
  { params, serve }: RpcCall,
  { action, caller, error }: OpenedCall,
  { world, regionId }: RpcHandlerDeps,
): Outcome {
  if (serve) return serve();
  if (!action || !caller) return refused(error);
  return run(action, { params, regionId: params['RegionId'] || regionId, caller, world });
}

function run(action: Action, context: Parameters<Action['run']>[0]): Outcome {
  const { estate } = context.world;
  const before = estate.revision();
  try {
    return success(action.run(context), estate.revision() !== before);
  } catch (error) {
    return refused(error);
  }
}

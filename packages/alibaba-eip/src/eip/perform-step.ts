import type { EipPass, PassDeps } from './eip-pass.ts';
import type { EipStep } from './eip-step.ts';
import { no } from './report.ts';
import { eipKind } from './resource.ts';
import { removeFinalizer, writeId, writeMemory, writeStatus } from './write-object.ts';

/** Does one step and returns what is known after it. */
export async function performStep(step: EipStep, pass: EipPass, deps: PassDeps, signal: AbortSignal): Promise<EipPass> {
  const { client, calls, observer } = deps;
  const tell = createTeller(pass, deps);
  switch (step.do) {
    case 'observe':
      return { ...pass, observation: await observer.look(step.id) };
    case 'find-marked': {
      const marked = await observer.findMarked(pass.object.metadata.uid ?? '', signal);
      return { ...pass, marked, markedIsFresh: true };
    }
    case 'remember': {
      const object = await writeMemory(client, pass.object, step);
      if (step.event) tell('Normal', step.event, `${step.memory.allocationID} is used as it is`);
      return { ...pass, object };
    }
    case 'allocate': {
      const { id, address } = await calls.allocate(step.intent.params, step.intent.token, signal);
      // Said before it is stored: should somebody force the object away in this moment, the id is not lost.
      deps.log.info({ allocationId: id, address }, 'allocated an address');
      const object = await writeId(client, pass.object, { allocationID: id, ...(address && { eipAddress: address }) });
      tell('Normal', 'Created', `allocated ${id} (${address})`);
      return { ...pass, object };
    }
    case 'store-id':
      return { ...pass, object: await writeId(client, pass.object, { allocationID: step.id }) };
    case 'let-go':
      return letGo(step, pass, deps);
    case 'modify':
    case 'move-resource-group':
    case 'join-package':
    case 'leave-package':
    case 'tag':
    case 'untag':
    case 'release':
      return changeAddress(step, pass, deps, signal);
    default:
      return step satisfies never;
  }
}

type ChangeStep = Extract<
  EipStep,
  { do: 'modify' | 'move-resource-group' | 'join-package' | 'leave-package' | 'tag' | 'untag' | 'release' }
>;

async function changeAddress(step: ChangeStep, pass: EipPass, deps: PassDeps, signal: AbortSignal): Promise<EipPass> {
  const { calls } = deps;
  const { id } = step;
  const tell = createTeller(pass, deps);
  switch (step.do) {
    case 'modify': {
      await calls.modify(id, step.changes, signal);
      const changes = Object.entries(step.changes).map(([field, value]) => `${field} ${value}`);
      tell('Normal', 'Updated', `${id}: ${changes.join(', ')}`);
      return pass;
    }
    case 'move-resource-group':
      await calls.moveResourceGroup(id, step.resourceGroupId, signal);
      tell('Normal', 'Updated', `${id} is in resource group ${step.resourceGroupId}`);
      return pass;
    case 'join-package':
      await calls.joinPackage(id, step.packageId, signal);
      tell('Normal', 'Updated', `${id} joins bandwidth package ${step.packageId}`);
      return pass;
    case 'leave-package':
      await calls.leavePackage(id, step.packageId, signal);
      tell('Normal', 'Updated', `${id} leaves bandwidth package ${step.packageId}`);
      return pass;
    case 'tag':
      await calls.tag(id, step.tags, signal);
      tell('Normal', 'Updated', `${id}: tags ${Object.keys(step.tags).join(', ')} set`);
      return pass;
    case 'untag':
      await calls.untag(id, step.keys, signal);
      tell('Normal', 'Updated', `${id}: tags ${step.keys.join(', ')} taken off`);
      return pass;
    case 'release':
      await calls.release(id, signal);
      return { ...pass, releaseAccepted: true };
    default:
      return step satisfies never;
  }
}

/** The last word is stored before the object may go: whoever watches it can read why. */
async function letGo(step: Extract<EipStep, { do: 'let-go' }>, pass: EipPass, deps: PassDeps): Promise<EipPass> {
  const { client, clock } = deps;
  const report = { ready: no('Deleted', step.message), progressing: no('Deleted', step.message) };
  const object = await writeStatus(client, pass.object, {
    observation: { kind: 'unknown' },
    report,
    nowMs: clock.now(),
  });
  createTeller(pass, deps)('Normal', step.event, step.message);
  return { ...pass, object: await removeFinalizer(client, object) };
}

function createTeller({ object }: EipPass, { events }: PassDeps) {
  return (type: 'Normal' | 'Warning', reason: string, message: string): void =>
    events.record(eipKind, object, { type, reason, message });
}

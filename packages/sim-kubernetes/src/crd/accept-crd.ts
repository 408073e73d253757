import type { ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';
import { decideNames } from './accepted-names.ts';
import { setCondition } from './crd-conditions.ts';
import { crdResource, crdStatus, isConditionTrue } from './crd-object.ts';
import type { CrdCondition } from './crd-object.ts';
import { writeCrdStatus } from './write-crd-status.ts';

const established: CrdCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

const notEstablished: CrdCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

/** Gives a CRD the names that are free and, when it got all of them, lets it be served. Once served it stays so. */
export async function acceptCrd(context: ActorContext, crd: StoredObject): Promise<void> {
  const { name } = crd.metadata;
  const others = context.store.list(crdResource).filter((other) => other.metadata.name !== name);
  const { acceptedNames, namesAccepted } = decideNames(crd, others);
  const status = crdStatus(crd);
  const conditions = [namesAccepted];
  if (!isConditionTrue(status, 'Established')) {
    conditions.push(namesAccepted.status === 'True' ? established : notEstablished);
  }
  const now = context.hooks.now();
  const written = conditions.reduce<readonly CrdCondition[]>(
    (all, condition) => setCondition(all, condition, now),
    status.conditions ?? [],
  );
  await writeCrdStatus(context, name, { ...status, acceptedNames, conditions: written });
}

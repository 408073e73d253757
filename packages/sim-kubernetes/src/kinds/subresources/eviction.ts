import { ApiError, badRequest, notFound } from '../../registry/api-error.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import type { CallSubresource, SubresourceCall } from '../../registry/subresource.ts';
import type { RestDeleteOptions } from '../../rest/rest-client.ts';
import { hasCondition } from '../cells/cell-text.ts';
import { child, count, ensureChild, maybeChild, maybeNumber, text, texts } from '../draft-fields.ts';
import { selectorMatches } from '../validation/field-checks.ts';
import { created } from './binding.ts';
import { setPodCondition } from './pod-conditions.ts';

const pods = { group: '', plural: 'pods' };
const budgets = { group: 'policy', plural: 'poddisruptionbudgets' };

/** Deletes a pod as far as disruption budgets allow. */
export const podEviction: CallSubresource = {
  form: 'call',
  ...pods,
  name: 'eviction',
  verbs: ['create'],
  kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
  handle: async (call) => {
    const { body = {}, name, namespace, parent: pod, client, context } = call;
    const dryRun = call.dryRun || texts(child(body, 'deleteOptions'), 'dryRun').includes('All');
    if (text(child(body, 'metadata'), 'name') !== name) {
      throw badRequest('name in URL does not match name in Eviction object');
    }
    if (pod === undefined) throw notFound(pods, name);
    if (!isOutsideBudgets(pod)) await takeFromBudget({ ...call, dryRun }, pod);
    const ref = { namespace, name };
    const mark = (draft: Draft): void =>
      setPodCondition(
        ensureChild(draft, 'status'),
        {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'EvictionByEvictionAPI',
          message: 'Eviction API: evicting',
        },
        context.now(),
      );
    await client.change(pods, ref, mark, { subresource: 'status', dryRun, untracked: true });
    await client.delete(pods, ref, { ...deleteOptions(body), dryRun, admitted: true });
    return created;
  },
};

/** Pods that have ended, are about to end or never ran disturb nobody. */
function isOutsideBudgets(pod: StoredObject): boolean {
  const phase = text(child(pod, 'status'), 'phase');
  return (
    phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined
  );
}

async function takeFromBudget(
  { client, namespace, dryRun, context }: SubresourceCall,
  pod: StoredObject,
): Promise<void> {
  const labels = pod.metadata.labels ?? {};
  const [budget, ...more] = client
    .list(budgets, namespace)
    .filter((found) => selectorMatches(maybeChild(child(found, 'spec'), 'selector'), labels));
  if (budget === undefined) return;
  if (more.length > 0) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new ApiError(500, '', message);
  }
  const status = child(budget, 'status');
  if (!hasCondition(child(pod, 'status'), 'Ready') && isSpare(budget, status)) return;
  const observed = count(status, 'observedGeneration');
  if (observed < (budget.metadata.generation ?? 0)) {
    const text = `The disruption budget ${budget.metadata.name} is still being processed by the server.`;
    throw tooMany(text);
  }
  if (count(status, 'disruptionsAllowed') <= 0) {
    const [needs, has] = [count(status, 'desiredHealthy'), count(status, 'currentHealthy')];
    const text = `The disruption budget ${budget.metadata.name} needs ${needs} healthy pods and has ${has} currently`;
    throw tooMany(text);
  }
  const take = (draft: Draft): void => {
    const next = ensureChild(draft, 'status');
    next['disruptionsAllowed'] = count(next, 'disruptionsAllowed') - 1;
    ensureChild(next, 'disruptedPods')[pod.metadata.name] = context.now();
  };
  await client.change(budgets, { namespace, name: budget.metadata.name }, take, {
    subresource: 'status',
    dryRun,
    untracked: true,
  });
}

/** A pod that is not ready does not count, if the rest is healthy enough or the budget does not care. */
function isSpare(budget: StoredObject, status: Draft): boolean {
  if (text(child(budget, 'spec'), 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = count(status, 'desiredHealthy');
  return desired > 0 && count(status, 'currentHealthy') >= desired;
}

function tooMany(message: string): ApiError {
  return new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}

function deleteOptions(body: Draft): RestDeleteOptions {
  const options = child(body, 'deleteOptions');
  const grace = maybeNumber(options, 'gracePeriodSeconds');
  const preconditions = child(options, 'preconditions');
  const policy = text(options, 'propagationPolicy');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === 'Foreground' || policy === 'Orphan' || policy === 'Background' ? { propagationPolicy: policy } : {}),
    ...(text(preconditions, 'uid') === '' ? {} : { uid: text(preconditions, 'uid') }),
    ...(text(preconditions, 'resourceVersion') === ''
      ? {}
      : { resourceVersion: text(preconditions, 'resourceVersion') }),
  };
}

import { defineTarget } from '../../engine/l5-sync/target.ts';
import { accountCalls } from '../account-object.ts';
import { markedObject, markedWish } from '../marked-object.ts';
import type { MarkedDesired, MarkedObserved } from '../marked-object.ts';
import type { OwnedConfig, OwnedKey } from '../owned-contract.ts';
import { devicePostureRuleContract } from './contract.ts';

const calls = accountCalls<OwnedKey>(({ zeroTrust }) => zeroTrust.devices.posture);
const fields = ['name', 'type', 'description', 'schedule', 'expiration', 'match', 'input'];

/** The API fills in a part of the input and never shows another, so what it showed after our write is what counts. */
export const devicePostureRuleTarget = defineTarget<OwnedKey, OwnedConfig, MarkedDesired, MarkedObserved>({
  ...markedObject(calls, fields, { defaults: { schedule: '5m' }, sets: new Set(['match']) }),
  contract: devicePostureRuleContract,
  aggregate: (sources) => markedWish(sources, 'device posture rule'),
});

import type { Eip } from '../estate/eip.ts';
import { flagOf, integerOf, listOf, textOf } from '../rpc/params.ts';
import type { Params } from '../rpc/params.ts';
import { invalidParameter, refusal } from '../rpc/rpc-error.ts';
import { checkDescription, checkName } from './check-text.ts';
import { readBandwidth } from './read-bandwidth.ts';

/** What a new address is to be like, and for prepaid ones how many milliseconds are paid. */
export type Allocation = Pick<
  Eip,
  'bandwidth' | 'internetChargeType' | 'chargeType' | 'isp' | 'name' | 'description' | 'securityProtectionTypes'
> & { readonly period: number | undefined };

const singleLines = ['ChinaTelecom', 'ChinaUnicom', 'ChinaMobile'].flatMap((isp) => [isp, `${isp}_L2`]);
const lines = new Set(['BGP', 'BGP_PRO', 'BGP_FinanceCloud', 'BGP_International', ...singleLines]);

export function readAllocation(params: Params): Allocation {
  const chargeType = oneOf(params, 'InstanceChargeType', ['PostPaid', 'PrePaid'] as const) ?? 'PostPaid';
  const internetChargeType =
    oneOf(params, 'InternetChargeType', ['PayByBandwidth', 'PayByTraffic'] as const) ?? 'PayByBandwidth';
  const isp = textOf(params, 'ISP') ?? 'BGP';
  if (!lines.has(isp)) throw invalidParameter('ISP');
  const prepaid = chargeType === 'PrePaid';
  if (internetChargeType === 'PayByTraffic' && (prepaid || singleLines.includes(isp))) {
    throw refusal('COMMODITY.INVALID_COMPONENT', 'The instance component is invalid.');
  }
  return {
    chargeType,
    internetChargeType,
    isp,
    bandwidth: readBandwidth(params, { chargeType, internetChargeType }) ?? 5,
    ...readNames(params, prepaid),
    securityProtectionTypes: readProtection(params, isp, chargeType),
    period: prepaid ? readPeriod(params) : undefined,
  };
}

function oneOf<const Value extends string>(params: Params, name: string, values: readonly Value[]): Value | undefined {
  const given = textOf(params, name);
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (!found) throw invalidParameter(name);
  return found;
}

/** A prepaid address gets neither when it is bought. */
function readNames(params: Params, prepaid: boolean): { readonly name: string; readonly description: string } {
  const name = textOf(params, 'Name') ?? '';
  const description = textOf(params, 'Description') ?? '';
  if (prepaid && name !== '') throw invalidParameter('Name', 'is not supported for a subscription');
  if (prepaid && description !== '') throw invalidParameter('Description', 'is not supported for a subscription');
  checkName(name);
  checkDescription(description);
  return { name, description };
}

function readProtection(params: Params, isp: string, chargeType: string): readonly string[] {
  const types = listOf(params, 'SecurityProtectionTypes').filter((type) => type !== '');
  const allowed = isp === 'BGP' && chargeType === 'PostPaid';
  if (types.length > 1 || types.some((type) => type !== 'AntiDDoS_Enhanced') || (types.length > 0 && !allowed)) {
    throw invalidParameter('SecurityProtectionTypes');
  }
  return types;
}

const dayMs = 86_400_000;

function readPeriod(params: Params): number {
  const cycle = oneOf(params, 'PricingCycle', ['Month', 'Year'] as const) ?? 'Month';
  const period = integerOf(params, 'Period', [1, cycle === 'Month' ? 9 : 5]);
  if (period === undefined) throw invalidParameter('Period');
  // Without AutoPay the order waits at the console, and there is no address.
  if (flagOf(params, 'AutoPay') !== true) throw refusal('OrderError.EIP', 'The account has unpaid orders of EIP.');
  return period * (cycle === 'Month' ? 30 : 365) * dayMs;
}

import type { Eip } from '../estate/eip.ts';
import { textOf } from '../rpc/params.ts';
import type { Params } from '../rpc/params.ts';
import { invalidParameter, refusal } from '../rpc/rpc-error.ts';

/** In Mbit/s; undefined when the call names none. */
export function readBandwidth(
  params: Params,
  { chargeType, internetChargeType }: Pick<Eip, 'chargeType' | 'internetChargeType'>,
): number | undefined {
  const text = textOf(params, 'Bandwidth');
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw refusal('InvalidBandwidth.Malformed', 'The specified Bandwidth is invalid.');
  const bandwidth = Number(text);
  const most = chargeType === 'PrePaid' ? 1000 : internetChargeType === 'PayByTraffic' ? 200 : 500;
  if (bandwidth < 1 || bandwidth > most) throw invalidParameter('Bandwidth');
  return bandwidth;
}

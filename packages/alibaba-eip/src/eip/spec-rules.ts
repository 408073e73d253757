import { rule, transitionRule } from '@tributary/runtime';
import type { z } from 'zod';

/** What the rules look at. */
type Charges = {
  readonly bandwidth?: string | undefined;
  readonly internetChargeType?: string | undefined;
  readonly instanceChargeType?: string | undefined;
  readonly isp?: string | undefined;
};

const singleLines = ['ChinaTelecom', 'ChinaUnicom', 'ChinaMobile'];
const isSingleLine = ({ isp = '' }: Charges): boolean => singleLines.includes(isp);
const paysByBandwidth = ({ internetChargeType }: Charges): boolean => internetChargeType === 'PayByBandwidth';
const isPrePaid = ({ instanceChargeType }: Charges): boolean => instanceChargeType === 'PrePaid';

const singleLineCel = "self.?isp.orValue('') in ['ChinaTelecom', 'ChinaUnicom', 'ChinaMobile']";
const payByBandwidthCel = "self.internetChargeType == 'PayByBandwidth'";
const prePaidCel = "self.?instanceChargeType.orValue('') == 'PrePaid'";

/** The three rules of the original's webhook, then what the provider allows. */
const rules: readonly {
  readonly cel: string;
  readonly message: string;
  readonly field: string;
  readonly holds: (charges: Charges) => boolean;
}[] = [
  {
    cel: `!(${singleLineCel}) || !(${prePaidCel})`,
    message: 'a single line (ChinaTelecom, ChinaUnicom, ChinaMobile) cannot be PrePaid',
    field: 'instanceChargeType',
    holds: (charges) => !isSingleLine(charges) || !isPrePaid(charges),
  },
  {
    cel: `!(${singleLineCel}) || ${prePaidCel} || ${payByBandwidthCel}`,
    message: 'a single line (ChinaTelecom, ChinaUnicom, ChinaMobile) must be PayByBandwidth',
    field: 'internetChargeType',
    holds: (charges) => !isSingleLine(charges) || isPrePaid(charges) || paysByBandwidth(charges),
  },
  {
    cel: `!(${prePaidCel}) || ${payByBandwidthCel}`,
    message: 'PrePaid must be PayByBandwidth',
    field: 'internetChargeType',
    holds: (charges) => !isPrePaid(charges) || paysByBandwidth(charges),
  },
  {
    cel: `!(${payByBandwidthCel}) || self.?bandwidth.orValue('') != ''`,
    message: 'PayByBandwidth needs a bandwidth',
    field: 'bandwidth',
    holds: (charges) => !paysByBandwidth(charges) || (charges.bandwidth ?? '') !== '',
  },
  {
    cel: `self.?bandwidth.orValue('') == '' || int(self.bandwidth) <= (${prePaidCel} ? 1000 : ${payByBandwidthCel} ? 500 : 200)`,
    message: 'the bandwidth is at most 200 (PayByTraffic), 500 (PayByBandwidth) or 1000 (PrePaid) Mbit/s',
    field: 'bandwidth',
    holds: (charges) =>
      Number(charges.bandwidth ?? '') <= (isPrePaid(charges) ? 1000 : paysByBandwidth(charges) ? 500 : 200),
  },
];

/** What the provider fixes when it allocates an address: to have it otherwise is to have another address. */
const fixed = ['internetChargeType', 'instanceChargeType', 'isp', 'publicIPAddressPoolID', 'securityProtectionTypes'];

export function withSpecRules<S extends z.ZodType<Charges>>(spec: S): S {
  const checked = rules.reduce(
    (schema, { cel, message, field, holds }) => rule(schema, cel, message, (value) => holds(value), { field }),
    spec,
  );
  const kept = fixed.reduce(
    (schema, field) => transitionRule(schema, isUnchanged(field), cannotChange(field), { field }),
    checked,
  );
  return transitionRule(
    kept,
    "oldSelf.?allocationID.orValue('') == '' || self.?allocationID.orValue('') == oldSelf.allocationID",
    'allocationID can be set once; for another address make another EIP',
    { field: 'allocationID' },
  );
}

/** Empty and absent are the same. Written out, since the server cannot tell what an `orValue` on both sides may cost. */
function isUnchanged(field: string): string {
  const isSet = (self: string): string => `has(${self}.${field}) && size(${self}.${field}) > 0`;
  return `(${isSet('self')}) == (${isSet('oldSelf')}) && (!(${isSet('self')}) || self.${field} == oldSelf.${field})`;
}

function cannotChange(field: string): string {
  return `${field} is fixed when the address is allocated; for another value make another EIP`;
}

import type { EipSpec } from '../resource.ts';

type Draft = { readonly [K in keyof EipSpec]?: unknown };

/** What a spec may be, as both servers and our own check see it. `says`: a part of the refusal. */
export const specCases: readonly { readonly name: string; readonly spec: Draft; readonly says?: string }[] = [
  { name: 'an empty spec', spec: {} },
  {
    name: 'empty strings, which mean nothing',
    spec: { allocationID: '', bandwidth: '', isp: '', instanceChargeType: '', name: '' },
  },
  {
    name: 'the line of one carrier, paid by bandwidth',
    spec: { isp: 'ChinaTelecom', internetChargeType: 'PayByBandwidth', bandwidth: '200' },
  },
  { name: 'the line of one carrier, paid by traffic', spec: { isp: 'ChinaTelecom' }, says: 'must be PayByBandwidth' },
  {
    name: 'the line of one carrier, PrePaid',
    spec: { isp: 'ChinaMobile', instanceChargeType: 'PrePaid', internetChargeType: 'PayByBandwidth', bandwidth: '5' },
    says: 'cannot be PrePaid',
  },
  { name: 'a second-level line, which the rule does not cover', spec: { isp: 'ChinaTelecom_L2' } },
  { name: 'PrePaid paid by traffic', spec: { instanceChargeType: 'PrePaid' }, says: 'PrePaid must be PayByBandwidth' },
  {
    name: 'paid by a bandwidth that is missing',
    spec: { internetChargeType: 'PayByBandwidth' },
    says: 'needs a bandwidth',
  },
  { name: '200 Mbit/s by traffic', spec: { bandwidth: '200' } },
  { name: '201 Mbit/s by traffic', spec: { bandwidth: '201' }, says: 'at most 200' },
  { name: '500 Mbit/s by bandwidth', spec: { internetChargeType: 'PayByBandwidth', bandwidth: '500' } },
  {
    name: '501 Mbit/s by bandwidth',
    spec: { internetChargeType: 'PayByBandwidth', bandwidth: '501' },
    says: 'at most 200',
  },
  {
    name: '1000 Mbit/s PrePaid',
    spec: { instanceChargeType: 'PrePaid', internetChargeType: 'PayByBandwidth', bandwidth: '1000' },
  },
  { name: 'a bandwidth of nothing', spec: { bandwidth: '0' }, says: 'spec.bandwidth' },
  { name: 'a bandwidth in words', spec: { bandwidth: 'five' }, says: 'spec.bandwidth' },
  { name: 'a bandwidth that is a number', spec: { bandwidth: 5 }, says: 'spec.bandwidth' },
  {
    name: 'a way of paying that nobody knows',
    spec: { internetChargeType: 'PayLater' },
    says: 'spec.internetChargeType',
  },
  { name: 'a strategy that nobody knows', spec: { releaseStrategy: 'Maybe' }, says: 'spec.releaseStrategy' },
  { name: 'tags', spec: { tags: { team: 'edge', empty: '' } } },
  { name: 'a tag of the provider’s', spec: { tags: { 'acs:x': 'y' } }, says: 'spec.tags' },
  { name: 'a tag that is the operator’s mark', spec: { tags: { 'eip-operator/uid': 'x' } }, says: 'eip-operator/' },
  { name: 'a tag with an address in it', spec: { tags: { x: 'see https://example.com' } }, says: 'spec.tags' },
];

/** What an update may do. */
export const changeCases: readonly {
  readonly name: string;
  readonly from: Draft;
  readonly to: Draft;
  readonly says?: string;
}[] = [
  { name: 'an id where there was none', from: {}, to: { allocationID: 'eip-1' } },
  { name: 'an id where there was an empty one', from: { allocationID: '' }, to: { allocationID: 'eip-1' } },
  {
    name: 'another id',
    from: { allocationID: 'eip-1' },
    to: { allocationID: 'eip-2' },
    says: 'allocationID can be set once',
  },
  { name: 'no id any more', from: { allocationID: 'eip-1' }, to: {}, says: 'allocationID can be set once' },
  { name: 'another line', from: { isp: 'BGP' }, to: { isp: 'BGP_PRO' }, says: 'isp is fixed' },
  { name: 'a line where there was none', from: {}, to: { isp: 'BGP' }, says: 'isp is fixed' },
  {
    name: 'another way of paying',
    from: { bandwidth: '5' },
    to: { bandwidth: '5', internetChargeType: 'PayByBandwidth' },
    says: 'internetChargeType is fixed',
  },
  {
    name: 'other protection',
    from: { securityProtectionTypes: ['AntiDDoS_Enhanced'] },
    to: { securityProtectionTypes: [] },
    says: 'securityProtectionTypes is fixed',
  },
  {
    name: 'another pool',
    from: {},
    to: { publicIPAddressPoolID: 'pippool-1' },
    says: 'publicIPAddressPoolID is fixed',
  },
  {
    name: 'everything that may change',
    from: { bandwidth: '5' },
    to: {
      bandwidth: '6',
      name: 'n',
      description: 'dd',
      tags: { a: 'b' },
      bandwidthPackageID: 'cbwp-1',
      resourceGroupID: 'rg',
      releaseStrategy: 'Never',
    },
  },
];

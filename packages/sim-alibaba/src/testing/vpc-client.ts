import * as vpc from '@alicloud/vpc20160428';
import { $OpenApiUtil } from '@alicloud/openapi-core';
import { classOf } from './class-of.ts';
import type { SimAlibaba } from '../start-sim-alibaba.ts';

const Client = classOf(vpc.default);

export type VpcClient = InstanceType<typeof Client>;

/** The provider's own client, pointed at the simulator and otherwise as it comes. */
export function createVpcClient(sim: SimAlibaba, more: Readonly<Record<string, unknown>> = {}): VpcClient {
  return new Client(
    new $OpenApiUtil.Config({
      accessKeyId: sim.accessKeyId,
      accessKeySecret: sim.accessKeySecret,
      regionId: sim.regionId,
      endpoint: sim.endpoint,
      protocol: 'http',
      ...more,
    }),
  );
}

import { OperatorError, parseYaml } from '@tributary/runtime';
import type { VpcLimits } from './provider/pace.ts';
import { vpcActions } from './provider/vpc-send.ts';

/** The original's config file. Keys that it had and did not use, and any others, are ignored. */
export type EipConfig = {
  readonly regionId: string;
  readonly kubeClientQps: number;
  readonly kubeClientBurst: number;
  /** Ours: calls a minute by action, for an account that may make more or fewer than usual. */
  readonly callsPerMinute: Partial<VpcLimits>;
};

export function parseEipConfig(
  text: string,
  where: string,
  given: { readonly regionId?: string | undefined },
): EipConfig {
  const parsed = (parseYaml(text) ?? {}) as Readonly<Record<string, unknown>>;
  const regionId = given.regionId ?? (typeof parsed['regionID'] === 'string' ? parsed['regionID'] : '');
  if (regionId === '') {
    throw new OperatorError('eip/bad-config', `${where} has no regionID, and --region is not set`, { kind: 'never' });
  }
  return {
    regionId,
    kubeClientQps: Number(parsed['kubeClientQPS']) || 50,
    kubeClientBurst: Number(parsed['kubeClientBurst']) || 100,
    callsPerMinute: toLimits(parsed['callsPerMinute']),
  };
}

function toLimits(given: unknown): Partial<VpcLimits> {
  const limits = (given ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    vpcActions.map((action) => [action, Number(limits[action])] as const).filter(([, limit]) => limit > 0),
  );
}

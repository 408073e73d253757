import type { TestSim } from './start-test-sim.ts';

export type MadeTunnel = { readonly id: string; readonly token: string; readonly path: string };

export async function makeTunnel(
  { call, account }: TestSim,
  fields: object = {},
  kind = 'cfd_tunnel',
): Promise<MadeTunnel> {
  const { result } = await call('POST', `${account}/${kind}`, { name: 'web', config_src: 'cloudflare', ...fields });
  return { id: result.id, token: result.token, path: `${account}/${kind}/${result.id}` };
}

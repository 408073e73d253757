import type { SimCloudflare } from '@tributary/sim-cloudflare';

/** An object as Cloudflare shows it; the names that tests look at are texts, null where there is none. */
export type Shown = {
  readonly id: string;
  readonly name: string;
  readonly network: string;
  readonly content: string;
} & {
  readonly [field: string]: unknown;
};

type Dashboard = Pick<SimCloudflare, 'dashboard'>;

/** What a person does at the dashboard, or sees of one object there. It must succeed. */
export function atDashboard(sim: Dashboard, ...request: Parameters<SimCloudflare['dashboard']>): Shown {
  return resultOf(sim, request) as Shown;
}

/** The same for a list. */
export function listAtDashboard(sim: Dashboard, path: string): readonly Shown[] {
  return resultOf(sim, ['GET', path]) as readonly Shown[];
}

function resultOf({ dashboard }: Dashboard, request: Parameters<SimCloudflare['dashboard']>): unknown {
  const answer = dashboard(...request);
  if (answer.status >= 300) throw new Error(`${request[0]} ${request[1]}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { readonly result: unknown }).result;
}

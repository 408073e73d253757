import type { Access } from './access.ts';
import type { Message } from './envelope.ts';
import type { ResultInfo } from './page.ts';
import type { Principal } from './principal.ts';
import type { IdSource } from '../ids/create-id-source.ts';
import type { Draft } from '../store/table.ts';
import type { WireRequest } from '@tributary/sim-kit';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What all families share beside the state. */
export type World = {
  readonly now: () => number;
  readonly ids: IdSource;
  /** What a remotely managed tunnel without any configuration answers: sources differ about it. */
  readonly unconfiguredTunnel: 'empty' | 'error';
};

export type Call = {
  readonly state: Draft;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly request: WireRequest;
  readonly principal: Principal;
  readonly world: World;
};

export type Reply =
  | {
      readonly result: unknown;
      readonly info?: ResultInfo;
      readonly messages?: readonly Message[];
      readonly status?: number;
    }
  /** Not an envelope. */
  | { readonly text: string; readonly contentType: string };

export type Route = {
  readonly method: Method;
  /** Below `/client/v4`; `:name` takes one segment. `:account` and `:zone` are checked against the caller. */
  readonly path: string;
  readonly access: Access;
  /** False when a POST or PUT body is not JSON. */
  readonly json?: boolean;
  readonly run: (call: Call) => Reply;
};

/** One product of the API. `seed` lays down what every account has from the start. */
export type Family = {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly seedAccount?: (state: Draft, accountId: string, world: World) => void;
};

export function timestamp(world: Pick<World, 'now'>): string {
  return new Date(world.now()).toISOString();
}

export function param(call: Pick<Call, 'params'>, name: string): string {
  return call.params[name] ?? '';
}

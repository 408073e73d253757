import type { CloudflareClient } from '@tributary/cloudflare-api';
import { sleep } from '@tributary/runtime';
import type { Clock } from '@tributary/runtime';
import type { Call } from '../target.ts';
import type { WorldProvider } from './sync-process.ts';
import { createToyStore, remove } from './toy-store.ts';
import type { ToyBoard, ToyChange, ToyRecord, ToyStore, ToyThing } from './toy-store.ts';

/** A provider in memory, with a journal, and with hooks to spoil what passes. */
export type ToyProvider = Pick<ToyStore, 'records' | 'things' | 'boards' | 'post'> & {
  readonly calls: ToyCall[];
  readonly writes: () => readonly ToyCall[];
  /** Around the effect of every call of every client; what they throw is the answer. */
  readonly hooks: { before?: (call: ToyCall) => void; after?: (call: ToyCall) => void };
  /** What a process uses. `isDead`: nothing it sends arrives, and it hears nothing. */
  readonly clientFor: (token: string, isDead: () => boolean) => CloudflareClient;
  /** As a world needs it. */
  readonly inWorld: WorldProvider;
};

export type ToyCall = {
  readonly verb: string;
  readonly write: boolean;
  readonly priority: string;
  readonly token: string;
  /** How many changes it carries. */
  readonly size: number;
};

type ToyApi = {
  readonly list: (zone: string) => Promise<readonly ToyRecord[]>;
  readonly find: (zone: string, name: string) => Promise<readonly ToyRecord[]>;
  readonly get: (id: string) => Promise<ToyRecord | undefined>;
  readonly create: (record: Omit<ToyRecord, 'id'>) => Promise<ToyRecord>;
  readonly edit: (id: string, change: Partial<ToyRecord>) => Promise<ToyRecord>;
  readonly remove: (id: string) => Promise<void>;
  readonly batch: (changes: readonly ToyChange[]) => Promise<readonly (ToyRecord | undefined)[]>;
  readonly findThings: (name: string) => Promise<readonly ToyThing[]>;
  readonly createThing: (thing: Pick<ToyThing, 'name' | 'size'>) => Promise<ToyThing>;
  readonly editThing: (id: string, size: number) => Promise<ToyThing>;
  readonly removeThing: (id: string) => Promise<void>;
  readonly getBoard: (id: string) => Promise<ToyBoard | undefined>;
  readonly putBoard: (id: string, entries: readonly string[]) => Promise<ToyBoard>;
  readonly secretOf: (id: string) => Promise<string>;
};

/** What a toy target finds behind the client it is given. */
export function toyOf({ api }: Call): ToyApi {
  return (api as unknown as { readonly toy: ToyApi }).toy;
}

export const toySecret = 'plainly-a-secret-of-the-toy';

export type ToyProviderOptions = { readonly clock: Clock; readonly latencyMs?: number };

export function createToyProvider({ clock, latencyMs = 0 }: ToyProviderOptions): ToyProvider {
  const store = createToyStore(clock);
  const calls: ToyCall[] = [];
  const hooks: ToyProvider['hooks'] = {};

  const clientFor = (token: string, isDead: () => boolean): CloudflareClient => {
    const unlessDead = async <T>(value: T): Promise<T> => (isDead() ? new Promise<T>(() => undefined) : value);
    const build = (priority: string): CloudflareClient => {
      const send: Send = async (verb, write, effect, size = 1) => {
        await unlessDead(undefined);
        const call = { verb, write, priority, token, size };
        calls.push(call);
        if (latencyMs > 0) await sleep(clock, latencyMs / 2);
        hooks.before?.(call);
        await unlessDead(undefined);
        const result = effect();
        hooks.after?.(call);
        if (latencyMs > 0) await sleep(clock, latencyMs / 2);
        return unlessDead(result);
      };
      const client = { toy: toApi(store, send), credentialId: token, withPriority: build };
      return client as unknown as CloudflareClient;
    };
    return build('change');
  };
  const writes = (): readonly ToyCall[] => calls.filter(({ write }) => write);
  const { records, things, boards, post } = store;
  const inWorld: WorldProvider = {
    clientFor: (isDead) => (credential) => clientFor(credential.kind === 'token' ? credential.token : '', isDead),
    crashAt: (nth, when, kill) => crashAt(hooks, nth, when, kill),
  };
  return { records, things, boards, post, calls, writes, hooks, clientFor, inWorld };
}

function crashAt(hooks: ToyProvider['hooks'], nth: number, when: 'before' | 'after', kill: () => void): () => boolean {
  let seen = 0;
  let hit = false;
  hooks[when] = ({ write }) => {
    if (!write || hit || (seen += 1) <= nth) return;
    hit = true;
    kill();
  };
  return () => hit;
}

type Send = <T>(verb: string, write: boolean, effect: () => T, size?: number) => Promise<T>;

function toApi(store: ToyStore, send: Send): ToyApi {
  const { records, things, boards } = store;
  const all = (zone: string): readonly ToyRecord[] => [...records.values()].filter((one) => one.zone === zone);
  return {
    list: async (zone) => send('list', false, () => all(zone)),
    find: async (zone, name) => send('find', false, () => all(zone).filter((one) => one.name === name)),
    get: async (id) => send('get', false, () => records.get(id)),
    create: async (record) => send('create', true, () => store.post(record)),
    edit: async (id, change) => send('edit', true, () => store.patch(id, change)),
    remove: async (id) => send('remove', true, () => remove(id, records)),
    batch: async (changes) => send('batch', true, () => store.batch(changes), changes.length),
    findThings: async (name) => send('find', false, () => [...things.values()].filter((one) => one.name === name)),
    createThing: async (thing) => send('create', true, () => store.postThing(thing)),
    editThing: async (id, size) => send('edit', true, () => store.patchThing(id, size)),
    removeThing: async (id) => send('remove', true, () => remove(id, things)),
    getBoard: async (id) => send('get', false, () => boards.get(id)),
    putBoard: async (id, entries) => send('put', true, () => store.putBoard(id, entries)),
    secretOf: async (id) => send('secret', false, () => `${toySecret}-${id}`),
  };
}

import { systemClock } from '@tributary/runtime/clock';
import { afterEach, describe, expect, test } from 'vitest';
import { assembleServer } from '../assemble-server.ts';
import type { AssembledServer } from '../assemble-server.ts';
import { builtinKinds } from '../kinds/builtin-kinds.ts';
import type { JsonObject } from '../registry/json.ts';
import type { StoreEvent } from '../storage/store.ts';
import { createCrdController } from './create-crd-controller.ts';
import { createCrdKind } from './crd-kind.ts';
import { crdResource } from './crd-object.ts';
import type { CrdConverters } from './to-resource-types.ts';

let server: AssembledServer;
afterEach(() => server.stop());

const refuse = (error: unknown): void => {
  throw error;
};

function start(converters: CrdConverters = {}): AssembledServer {
  const kinds = builtinKinds().filter(({ kind }) => kind !== 'CustomResourceDefinition');
  const crdKind = createCrdKind();
  server = assembleServer({
    clock: { ...systemClock, now: () => Date.parse('2026-01-01T00:00:00Z') },
    random: () => 0.5,
    kinds: [...kinds, crdKind],
    subresources: [],
    admission: [],
    actors: [createCrdController({ converters, onError: refuse })],
    routes: [],
    onInternalError: refuse,
  });
  return server;
}

const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ...more,
});

function definition(plural: string, kind: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.a.test` },
    spec: {
      group: 'a.test',
      scope: 'Cluster',
      names: { plural, kind },
      versions: [version('v1', { storage: true })],
      ...more,
    },
  };
}

/** Resolves with the first event of a CRD that the test holds for. */
async function crdEvent(name: string, holds: (event: StoreEvent) => boolean): Promise<StoreEvent> {
  return new Promise((resolve) => {
    const stop = server.store.subscribe(crdResource, (event) => {
      if (event.object.metadata.name !== name || !holds(event)) return;
      stop();
      resolve(event);
    });
  });
}

type Condition = { readonly type: string; readonly status: string; readonly reason: string; readonly message: string };

function conditions({ object }: StoreEvent): Readonly<Record<string, string>> {
  const { conditions = [] } = object['status'] as { readonly conditions?: readonly Condition[] };
  return Object.fromEntries((conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]));
}

async function install(crd: JsonObject): Promise<StoreEvent> {
  const { name } = crd['metadata'] as { readonly name: string };
  const done = crdEvent(name, (event) => conditions(event)['NamesAccepted'] !== undefined);
  await server.client.create(crdResource, crd);
  return done;
}

const things = { group: 'a.test', plural: 'things' };
const thing = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'a.test/v1',
  kind: 'Thing',
  metadata: { name, ...more },
});

describe('a new CRD', () => {
  test('gets its names and is served', async () => {
    start();
    const event = await install(
      definition('things', 'Thing', { names: { plural: 'things', kind: 'Thing', shortNames: ['th'] } }),
    );
    expect(conditions(event)).toEqual({
      NamesAccepted: 'True NoConflicts',
      Established: 'True InitialNamesAccepted',
    });
    expect((event.object['status'] as JsonObject)['acceptedNames']).toEqual({
      plural: 'things',
      singular: 'thing',
      kind: 'Thing',
      listKind: 'ThingList',
      shortNames: ['th'],
    });
    expect(server.registry.find('a.test', 'v1', 'things')).toMatchObject({ kind: 'Thing', shortNames: ['th'] });
  });

  test('is not served as long as another has its kind, and is as soon as that one goes', async () => {
    start();
    await install(definition('things', 'Thing'));
    const second = await install(definition('others', 'Thing'));
    expect(conditions(second)).toEqual({ NamesAccepted: 'False ListKindConflict', Established: 'False NotAccepted' });
    expect(server.registry.find('a.test', 'v1', 'others')).toBeUndefined();
    const freed = crdEvent(
      'others.a.test',
      (event) => conditions(event)['Established'] === 'True InitialNamesAccepted',
    );
    await server.client.delete(crdResource, { name: 'things.a.test' });
    await freed;
    expect(server.registry.find('a.test', 'v1', 'others')).toBeDefined();
    expect(server.registry.find('a.test', 'v1', 'things')).toBeUndefined();
  });
});

describe('a change of a live CRD', () => {
  test('is served in the same step: a version comes, another goes', async () => {
    start();
    await install(definition('things', 'Thing'));
    await server.client.change(crdResource, { name: 'things.a.test' }, (draft) => {
      (draft['spec'] as { versions: unknown[] }).versions.push(version('v2'));
    });
    expect(server.registry.find('a.test', 'v2', 'things')).toBeDefined();
    await server.client.change(crdResource, { name: 'things.a.test' }, (draft) => {
      (draft['spec'] as { versions: { served: boolean }[] }).versions[1]!.served = false;
    });
    expect(server.registry.find('a.test', 'v2', 'things')).toBeUndefined();
  });

  test('of the storage version is remembered in status', async () => {
    start();
    await install(definition('things', 'Thing'));
    const changed = await server.client.change(crdResource, { name: 'things.a.test' }, (draft) => {
      (draft['spec'] as JsonObject & { versions: unknown })['versions'] = [
        version('v1'),
        version('v2', { storage: true }),
      ];
    });
    expect((changed['status'] as JsonObject)['storedVersions']).toEqual(['v1', 'v2']);
    expect(changed.metadata.generation).toBe(2);
  });
});

describe('the deletion of a CRD', () => {
  test('takes its objects first and waits for their finalizers', async () => {
    start();
    await install(definition('things', 'Thing'));
    await server.client.create(things, thing('free'));
    await server.client.create(things, thing('held', { finalizers: ['a.test/hold'] }));
    const emptied = new Promise<void>((resolve) => {
      server.store.subscribe(things, ({ type, object }) => {
        if (type === 'MODIFIED' && object.metadata.name === 'held') resolve();
      });
    });
    const terminating = crdEvent('things.a.test', (event) => conditions(event)['Terminating'] !== undefined);
    await server.client.delete(crdResource, { name: 'things.a.test' });
    expect(conditions(await terminating)['Terminating']).toBe('True InstanceDeletionInProgress');
    await emptied;
    expect(server.store.list(things).map(({ metadata }) => metadata.name)).toEqual(['held']);
    await expect(server.client.create(things, thing('late'))).rejects.toThrow(
      'things.a.test "late" is forbidden: create not allowed while custom resource definition is terminating',
    );
    // Everything that could happen without another write has happened.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(server.store.get(crdResource, { name: 'things.a.test' })?.metadata.finalizers).toHaveLength(1);
    const gone = crdEvent('things.a.test', ({ type }) => type === 'DELETED');
    await server.client.change(things, { name: 'held' }, (draft) => {
      delete (draft['metadata'] as JsonObject & { finalizers?: unknown }).finalizers;
    });
    await gone;
    expect(server.store.count(things)).toBe(0);
    expect(server.registry.find('a.test', 'v1', 'things')).toBeUndefined();
  });
});

describe('an in-process converter', () => {
  test('stands in for the conversion webhook', async () => {
    const rename = (object: JsonObject, from: string, to: string): JsonObject => {
      const { [from]: value, ...rest } = object;
      return value === undefined ? rest : { ...rest, [to]: value };
    };
    start({
      'things.a.test': (object, toApiVersion) =>
        toApiVersion === 'a.test/v2' ? rename(object, 'size', 'length') : rename(object, 'length', 'size'),
    });
    const webhook = { clientConfig: { url: 'https://example.com/convert' }, conversionReviewVersions: ['v1'] };
    await install(
      definition('things', 'Thing', {
        versions: [version('v1', { storage: true }), version('v2')],
        conversion: { strategy: 'Webhook', webhook },
      }),
    );
    const stored = await server.client.create(things, { ...thing('one'), size: 3 });
    const v2 = server.registry.find('a.test', 'v2', 'things')!;
    expect(v2.convert?.fromStored(stored)['length']).toBe(3);
    expect(v2.convert?.toStored({ ...thing('two'), length: 4 })).toMatchObject({ size: 4 });
  });
});

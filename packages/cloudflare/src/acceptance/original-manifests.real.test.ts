import { connect, crdKind, createUndiciTransport, staticAuth, systemAccessDeps } from '@tributary/runtime';
import type { AnyCustomKind, KubeClient, Transport } from '@tributary/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import { allKinds } from '../catalog.ts';
import { startConversionServer } from './testing/conversion-server.ts';
import type { ConversionServer } from './testing/conversion-server.ts';
import { readManifestTables } from './testing/manifest-tables.ts';
import { notRefused, notTaken } from './testing/try-forms.ts';

// The same tables as on the embedded server, word for word: a server of its own, for CRDs are for all of a server.

let plane: ControlPlane;
let transport: Transport;
let conversion: ConversionServer;
let client: KubeClient;
beforeAll(async () => {
  [plane, conversion] = await Promise.all([startControlPlane({}), startConversionServer()]);
  const auth = staticAuth({ authorization: `Bearer ${plane.token}` });
  const access = { server: plane.url, tls: { ca: { data: plane.ca } }, auth };
  transport = createUndiciTransport({ access }, systemAccessDeps({}));
  ({ client } = connect({ transport, userAgent: 'user' }));
  for (const kind of allKinds) await client.create(crdKind, withWebhook(kind));
  for (const kind of allKinds) await untilServed(kind);
});
afterAll(async () => {
  await transport.close();
  await conversion.stop();
  await plane.stop();
});

describe.each(readManifestTables())('$kind of $apiVersion on a real API server', ({ accepted, refused }) => {
  test('takes every form of the original and stores all of it', async () => {
    expect(await notTaken({ client, kinds: allKinds }, accepted)).toEqual([]);
  });

  test('refuses what is wrong, and names the field', async () => {
    expect(await notRefused({ client, kinds: allKinds }, refused)).toEqual([]);
  });
});

function withWebhook(kind: AnyCustomKind): ReturnType<AnyCustomKind['toCrd']> {
  const crd = kind.toCrd();
  if (!crd.spec.conversion) return crd;
  const webhook = { clientConfig: conversion.clientConfig, conversionReviewVersions: ['v1'] };
  return { ...crd, spec: { ...crd.spec, conversion: { strategy: 'Webhook', webhook } } };
}

async function untilServed(kind: AnyCustomKind): Promise<void> {
  const endsMs = performance.now() + 30_000;
  while (performance.now() < endsMs) {
    const served = await client.list(kind).catch(() => undefined);
    if (served) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server does not serve ${kind.kind}`);
}

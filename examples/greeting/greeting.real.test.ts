import { createUndiciTransport, staticAuth, systemAccessDeps } from '@tributary/runtime';
import { inject, test } from 'vitest';
import { expectGreetings } from './greeting-scenario.ts';

test('the example works against a real kube-apiserver', async () => {
  const { url, ca, token } = inject('controlPlane');
  const access = { server: url, tls: { ca: { data: ca } }, auth: staticAuth({ authorization: `Bearer ${token}` }) };
  const transport = createUndiciTransport({ access }, systemAccessDeps({}));
  await expectGreetings(transport);
  await transport.close();
});

import { describeTarget } from '../../engine/l5-sync/testing/target-kit.ts';
import { cloudflareCredentialsTarget } from './sync.ts';

describeTarget('credentials, which are tried and never written', {
  target: cloudflareCredentialsTarget,
  key: () => ({ name: 'main' }),
  config: ({ accountId }) => ({ accountId, authType: 'apiToken' as const }),
  changes: {},
  remote: () => [],
  end: 'kept',
});

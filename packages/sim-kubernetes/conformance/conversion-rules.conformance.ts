import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { crdManifest, crdsPath, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('conversion-rules');
const withReviews = (conversionReviewVersions: readonly string[]): Loose => ({
  strategy: 'Webhook',
  webhook: { clientConfig: { url: 'https://a.example.com/x' }, conversionReviewVersions },
});

describe('the conversion of a CRD', () => {
  const faults: Readonly<Record<string, () => Loose>> = {
    'without a webhook': () => ({ strategy: 'Webhook' }),
    'of an unknown strategy': () => ({ strategy: 'Magic' }),
    'with a webhook that is not asked': () => ({ ...withReviews(['v1']), strategy: 'None' }),
    'with no address': () => ({ strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } }),
    'with an address that is not https': () => ({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'http://a?b=c' }, conversionReviewVersions: ['v1'] },
    }),
    'with a service without name': () => ({
      strategy: 'Webhook',
      webhook: { clientConfig: { service: { namespace: 'b', path: 'x' } }, conversionReviewVersions: ['v1'] },
    }),
    'with an authority that is none, which is taken': () => ({
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://a', caBundle: 'bm8=' }, conversionReviewVersions: ['v1'] },
    }),
    'with unknown reviews': () => withReviews(['v9', 'v9']),
    'with no reviews': () => withReviews([]),
  };
  test.each(Object.keys(faults))('%s is checked', async (title) => {
    const group = `${uniqueName('conf')}.example.com`;
    const extra = { conversion: faults[title]?.() };
    const answer = await api.post(crdsPath, crdManifest(group, { extra }), { dryRun: 'All' });
    expect(maskedAnswer(answer, { [group]: '<group>' })).toEqual(golden(title));
  });
});

import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { redirectRuleKind } from './resource.ts';

const wildcard = { name: 'old', sourceUrl: 'https://example.net/old/*', targetUrl: 'https://example.net/new/${1}' };

describeKind('a redirect rule', {
  kind: redirectRuleKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'RedirectRule',
    metadata: { name: 'moved' },
    spec: { zone: 'example.net', wildcardRules: [wildcard] },
  }),
  change: () => ({ spec: { zone: 'example.net', wildcardRules: [{ ...wildcard, includeSubdomains: true }] } }),
  writes: 7,
});

import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { transformRuleKind } from './resource.ts';

const rule = { name: 'old', expression: 'true', urlRewrite: { path: { static: '/new' } } };

describeKind('a transform rule', {
  kind: transformRuleKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'TransformRule',
    metadata: { name: 'paths' },
    spec: { zone: 'example.net', type: 'url_rewrite', rules: [rule] },
  }),
  change: () => ({
    spec: { zone: 'example.net', type: 'url_rewrite', rules: [{ ...rule, urlRewrite: { query: { static: '' } } }] },
  }),
  writes: 7,
});

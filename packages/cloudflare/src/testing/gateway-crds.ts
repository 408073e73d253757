import { readFileSync } from 'node:fs';
import type { AnyObject } from '@tributary/runtime';

const standard = ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'referencegrants'] as const;
const experimental = ['tcproutes', 'udproutes'] as const;

/** The official CustomResourceDefinitions of a channel; `experimental` are those that it adds. */
export function gatewayCrds(channel: 'standard' | 'experimental'): readonly AnyObject[] {
  const plurals = channel === 'standard' ? standard : experimental;
  return plurals.map((plural) => {
    const text = readFileSync(new URL(`testdata/gateway-api/${plural}.json`, import.meta.url), 'utf8');
    return JSON.parse(text) as AnyObject;
  });
}

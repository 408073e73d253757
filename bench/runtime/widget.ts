import { defineKind } from '@tributary/runtime';
import type { AnyObject, KubeObject } from '@tributary/runtime';

export type Widget = KubeObject & { readonly spec: { readonly round: number } };

export const widgetKind = defineKind<Widget>({
  group: 'bench.tributary.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});

const text = { type: 'string' };

export const widgetCrd: AnyObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.tributary.dev' },
  spec: {
    group: 'bench.tributary.dev',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  round: { type: 'integer', format: 'int64' },
                  host: text,
                  paths: {
                    type: 'array',
                    items: { type: 'object', properties: { path: text, service: text, port: { type: 'integer' } } },
                  },
                  options: { type: 'object', additionalProperties: text },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** A Widget that is about 1.4 KB of JSON as the server sends it. */
export function newWidget(index: number): Widget {
  const paths = Array.from({ length: 5 }, (_, n) => ({
    path: `/api/v${n}/items-${index % 97}`,
    service: `backend-${n}.team-${index % 50}.svc`,
    port: 8000 + n,
  }));
  const spec = {
    round: 0,
    host: `host-${index}.example.com`,
    paths,
    options: {
      noTLSVerify: 'false',
      connectTimeout: '30s',
      http2Origin: 'true',
      originServerName: `origin-${index}.example.com`,
    },
  };
  return {
    apiVersion: 'bench.tributary.dev/v1',
    kind: 'Widget',
    metadata: {
      name: `widget-${String(index).padStart(6, '0')}`,
      namespace: 'default',
      labels: { 'app.kubernetes.io/name': 'widget', team: `team-${index % 50}` },
      annotations: {
        'bench.tributary.dev/note': `made for widget ${index}, which nobody but the benchmark will ever read`,
      },
    },
    spec,
  };
}

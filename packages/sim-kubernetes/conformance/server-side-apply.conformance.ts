import { beforeAll, describe, expect, test } from 'vitest';
import { apply, builtinPlace, tell } from './kit/apply-story.ts';
import type { Place, StoryStep } from './kit/apply-story.ts';
import { useGolden } from './kit/golden.ts';
import { createNamespace } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('server-side-apply');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const data = (fields: Loose): Loose => ({ data: fields });
const force = { force: true };

type Row = readonly [title: string, steps: readonly StoryStep[]];

function stories(place: () => Place, rows: readonly Row[]): void {
  test.each(rows)('%s', async (title, steps) => {
    expect(await tell(place(), steps)).toEqual(golden(title));
  });
}

describe('a ConfigMap that is applied', () => {
  stories(
    () => builtinPlace(api, 'v1', 'ConfigMap', namespace),
    [
      ['is created when it is not there', [apply('ann', data({ a: '1' }))]],
      ['stays as it is when nothing is new', [apply('ann', data({ a: '1' })), apply('ann', data({ a: '1' }))]],
      [
        'loses what its manager no longer applies',
        [apply('ann', data({ a: '1', b: '2' })), apply('ann', data({ b: '2' }))],
      ],
      ['loses everything but itself', [apply('ann', data({ a: '1' })), apply('ann', {})]],
      [
        'keeps what another manager applies too',
        [apply('ann', data({ a: '1', b: '2' })), apply('bob', data({ a: '1' })), apply('ann', data({ b: '2' }))],
      ],
      ['is refused where others say otherwise', [apply('ann', data({ a: '1' })), apply('bob', data({ a: '2' }))]],
      [
        'is refused with every field that is contested',
        [
          apply('ann', data({ a: '1', b: '1' })),
          apply('bob', data({ c: '1' })),
          apply('eve', data({ a: '2', b: '2', c: '2' })),
        ],
      ],
      ['takes over by force', [apply('ann', data({ a: '1', b: '1' })), apply('bob', data({ a: '2' }), force)]],
      [
        'knows who updated it',
        [
          { do: 'post', body: data({ a: '1', b: '1' }), query: { fieldManager: 'hand' } },
          apply('ann', data({ a: '2' })),
          apply('ann', data({ a: '2' }), force),
          apply('ann', {}),
        ],
      ],
      [
        'shares a field that others set to the same',
        [{ do: 'post', body: data({ a: '1' }) }, apply('ann', data({ a: '1' }))],
      ],
      ['is not stored by a dry run', [apply('ann', data({ a: '1' }), { dryRun: 'All' }), { do: 'get' }]],
      [
        'is not changed by a dry run',
        [apply('ann', data({ a: '1' })), apply('ann', data({ a: '2' }), { dryRun: 'All' }), { do: 'get' }],
      ],
      [
        'has labels, annotations and finalizers of several managers',
        [
          apply('ann', { metadata: { labels: { l: '1' }, annotations: { n: '1' }, finalizers: ['x.test/a'] } }),
          apply('bob', { metadata: { labels: { m: '1' }, finalizers: ['x.test/b'] } }),
          apply('ann', { metadata: { labels: { m: '1' } } }),
          apply('bob', {}),
          { do: 'merge', body: { metadata: { finalizers: null } } },
        ],
      ],
    ],
  );
});

describe('a built-in kind that is applied', () => {
  const pod = (containers: readonly Loose[]): Loose => ({
    template: { metadata: { labels: { app: 'x' } }, spec: { containers } },
  });
  const container = { name: 'a', image: 'i' };
  const limits = { cpu: '1000m', memory: '1024Ki' };
  stories(
    () => builtinPlace(api, 'v1', 'PodTemplate', namespace),
    [
      [
        'finds ports by number and default protocol',
        [
          apply('ann', pod([{ ...container, ports: [{ containerPort: 80 }] }])),
          apply('bob', {
            template: {
              spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }] }] },
            },
          }),
          apply('ann', pod([container])),
        ],
      ],
      [
        'keeps quantities that are written otherwise',
        [
          apply('ann', pod([{ ...container, resources: { limits } }])),
          apply('ann', pod([{ ...container, resources: { limits } }])),
        ],
      ],
      ['must be right as a whole', [apply('ann', pod([{ name: 'A' }]))]],
      ['must hold what can be read', [apply('ann', pod([{ ...container, resources: { limits: { cpu: 'much' } } }]))]],
    ],
  );
});

import { describe, expect, test } from 'vitest';
import { differingSettings, settingsOf, withTakenBack } from './compare-project.ts';

const production = (config: object): object => ({ deployment_configs: { production: config } });
const plain = (value: string): object => ({ type: 'plain_text', value });
const at = 'deployment_configs/production';

describe('a difference is', () => {
  const cases: readonly (readonly [string, object, object, readonly string[], readonly string[]])[] = [
    ['none where more is shown than was said', { a: 'x' }, { a: 'x', b: 'y' }, [], []],
    ['none between empty, false and absent', { a: '', b: false }, { b: null }, [], []],
    ['another value', { a: 'x' }, { a: 'y' }, [], ['a']],
    ['what was said once and is not now', { a: 'x' }, { a: 'x' }, ['a', 'b'], ['b']],
    [
      'none in the order of flags',
      production({ compatibility_flags: ['b', 'a'] }),
      production({ compatibility_flags: ['a', 'b'] }),
      [],
      [],
    ],
    ['a flag', production({ compatibility_flags: ['a'] }), production({}), [], [`${at}/compatibility_flags`]],
    [
      'none in the usage model',
      production({ usage_model: 'bundled' }),
      production({ usage_model: 'standard' }),
      [],
      [],
    ],
    [
      'none in the value of a secret',
      production({ env_vars: { S: { type: 'secret_text' } } }),
      production({ env_vars: { S: { type: 'secret_text', value: '' } } }),
      [],
      [],
    ],
    [
      'a secret that is plain',
      production({ env_vars: { S: { type: 'secret_text' } } }),
      production({ env_vars: { S: plain('') } }),
      [],
      [`${at}/env_vars/S`],
    ],
    [
      'an empty binding that is not there',
      production({ browsers: { B: {} } }),
      production({ browsers: {} }),
      [],
      [`${at}/browsers/B`],
    ],
    [
      'an empty variable that is not there',
      production({ env_vars: { A: plain('') } }),
      production({ env_vars: null }),
      [],
      [`${at}/env_vars/A`],
    ],
    [
      'none where a binding shows more',
      production({ services: { A: { service: 's' } } }),
      production({ services: { A: { service: 's', environment: 'production' } } }),
      [],
      [],
    ],
    ['a mode of placement', production({ placement: { mode: 'smart' } }), production({}), [], [`${at}/placement/mode`]],
  ];
  test.each(cases)('%s', (_name, wanted, observed, before, fields) => {
    expect(differingSettings(wanted as never, observed as never, before)).toEqual(fields);
  });
});

test('what is not said any more is taken back in the way that its kind of setting has', () => {
  const wanted = { production_branch: 'main', ...production({ env_vars: { A: plain('1') } }) };
  const before = [
    ...settingsOf(wanted).keys(),
    `${at}/env_vars/B`,
    `${at}/kv_namespaces/KV`,
    `${at}/compatibility_flags`,
    `${at}/compatibility_date`,
    'build_config/root_dir',
    'build_config/build_caching',
    `${at}/placement/mode`,
    `${at}/fail_open`,
    `${at}/always_use_latest_compatibility_date`,
  ];
  expect(withTakenBack(wanted as never, before)).toEqual({
    production_branch: 'main',
    deployment_configs: {
      production: {
        env_vars: { A: plain('1'), B: null },
        kv_namespaces: { KV: null },
        compatibility_flags: [],
        placement: null,
        fail_open: true,
        always_use_latest_compatibility_date: false,
      },
    },
    build_config: { root_dir: '', build_caching: false },
  });
});

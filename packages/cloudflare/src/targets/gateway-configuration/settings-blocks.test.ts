import { expect, test } from 'vitest';
import { changedBlocks, valuesAt } from './settings-blocks.ts';

test('only the blocks with changes are written, with what others have said in them, and without what is not ours to say', () => {
  const wanted = { 'block_page.name': 'no', 'block_page.enabled': true, 'fips.tls': true };
  const observed = {
    block_page: { footer_text: 'theirs', name: 'old', read_only: false, version: 3 },
    fips: { tls: true },
    sandbox: { enabled: true },
  };
  expect(changedBlocks(wanted, observed, ['block_page.name'])).toEqual({
    block_page: { footer_text: 'theirs', name: 'no', enabled: true },
  });
});

test('what is wanted deep inside a block leaves the rest of it', () => {
  const path = 'antivirus.notification_settings.msg';
  const observed = { antivirus: { fail_closed: true, notification_settings: { enabled: true } } };
  expect(changedBlocks({ [path]: 'found' }, observed, [path])).toEqual({
    antivirus: { fail_closed: true, notification_settings: { enabled: true, msg: 'found' } },
  });
  expect(valuesAt(observed, [path, 'antivirus.fail_closed'])).toEqual({
    [path]: undefined,
    'antivirus.fail_closed': true,
  });
});

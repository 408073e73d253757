import { expect, test } from 'vitest';
import { createTopics } from './topics.ts';

function listening(): { topics: ReturnType<typeof createTopics>; woken: string[] } {
  const topics = createTopics();
  const woken: string[] = [];
  topics.listen('pebbles', (key) => woken.push(key));
  return { topics, woken };
}

test('whoever has read a topic is woken by it, also while its run lasts', () => {
  const { topics, woken } = listening();
  const reading = topics.begin({ group: 'pebbles', key: 'a' });
  reading.note('shelf');
  topics.announce('shelf');
  reading.end();
  topics.announce('shelf');
  topics.announce('other');
  expect(woken).toEqual(['a', 'a']);
});

test('what a later run does not read any more does not wake it', () => {
  const { topics, woken } = listening();
  const first = topics.begin({ group: 'pebbles', key: 'a' });
  first.note('shelf');
  first.note('box');
  first.end();
  const second = topics.begin({ group: 'pebbles', key: 'a' });
  second.note('box');
  second.end();
  topics.announce('shelf');
  topics.announce('box');
  expect(woken).toEqual(['a']);
});

test('a run that reads nothing leaves nothing behind', () => {
  const { topics, woken } = listening();
  const first = topics.begin({ group: 'pebbles', key: 'a' });
  first.note('shelf');
  first.end();
  topics.begin({ group: 'pebbles', key: 'a' }).end();
  topics.announce('shelf');
  expect(woken).toEqual([]);
});

test('readers of other groups are nobody of ours, and who stops listening hears nothing', () => {
  const { topics, woken } = listening();
  const theirs: string[] = [];
  const stop = topics.listen('leaves', (key) => theirs.push(key));
  for (const group of ['pebbles', 'leaves']) {
    const reading = topics.begin({ group, key: group });
    reading.note('shelf');
    reading.end();
  }
  topics.announce('shelf');
  stop();
  topics.announce('shelf');
  expect([woken, theirs]).toEqual([['pebbles', 'pebbles'], ['leaves']]);
});

import { expect, test } from 'vitest';
import { echoesOf, unechoedFields } from './echoed-fields.ts';

const names = ['traffic', 'name'];
const sent = { traffic: 'a  AND  b', name: 'x' };
const shown = { traffic: 'a and b', name: 'x' };

test('what comes back as it was sent needs no memory', () => {
  expect(echoesOf(sent, { ...sent }, names)).toBeUndefined();
});

test('another text is no difference for as long as the same is wanted and the same is shown', () => {
  const remembered = echoesOf(sent, shown, names);
  expect(Object.keys(remembered?.echoes ?? {})).toEqual(['traffic']);
  expect(unechoedFields(sent, shown, names, { remembered })).toEqual([]);
  expect(unechoedFields({ ...sent, traffic: 'a AND b' }, shown, names, { remembered })).toEqual(['traffic']);
  expect(unechoedFields(sent, { ...shown, traffic: 'a or b' }, names, { remembered })).toEqual(['traffic']);
  expect(unechoedFields(sent, { ...shown, name: 'y' }, names, { remembered })).toEqual(['name']);
});

test('without a memory another text is a difference', () => {
  expect(unechoedFields(sent, shown, names, { remembered: undefined })).toEqual(['traffic']);
});

test('what is never shown is remembered too', () => {
  const remembered = echoesOf({ path: '/a' }, {}, ['path']);
  expect(unechoedFields({ path: '/a' }, {}, ['path'], { remembered })).toEqual([]);
  expect(unechoedFields({ path: '/b' }, {}, ['path'], { remembered })).toEqual(['path']);
  expect(unechoedFields({}, {}, ['path'], { remembered })).toEqual([]);
});

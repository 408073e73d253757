import { expect, test } from 'vitest';
import { parseBindAddress } from './bind-address.ts';

test.each([
  [':8081', { port: 8081 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ['[::1]:8081', { host: '::1', port: 8081 }],
  ['0', undefined],
])('%s is understood', (text, address) => expect(parseBindAddress(text)).toEqual(address));

test.each(['', '8081', ':', ':65536', ':http', '::1:8081', 'http://x:1'])('%j is refused', (text) => {
  expect(() => parseBindAddress(text)).toThrow(`not a bind address: ${text}`);
});

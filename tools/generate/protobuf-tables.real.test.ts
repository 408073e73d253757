import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateProtobufTables, protobufTablesPath } from './protobuf-tables.ts';

test('the tables are those of the published .proto files', () => {
  const path = join(import.meta.dirname, '../..', protobufTablesPath);
  expect(generateProtobufTables()).toBe(readFileSync(path, 'utf8'));
});

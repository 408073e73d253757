import { expect, test } from 'vitest';
import { toFieldEncoding } from './builtin-encoding.ts';
import { fieldsOf, parseGoStructs } from './builtin-go-fields.ts';

const source = [
  'type Thing struct {',
  '\tmetav1.TypeMeta `json:",inline"`',
  '\t// Standard metadata.',
  '\tmetav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1"`',
  '\tPart `json:",inline"`',
  '\tReplicas *int32 `json:"replicas,omitempty"`',
  '\tRules []Rule `json:"rules"`',
  '\tHidden string `json:"-"`',
  '}',
  '',
  'type Part struct {',
  '\tHost bool `json:"host,omitempty"`',
  '\tCreated Time `json:"created,omitempty,omitzero"`',
  '\tPort *Port `json:"port,omitempty"`',
  '}',
].join('\n');

const fields = fieldsOf('Thing', parseGoStructs(source));

test('fields of embedded structs count as their own, and hidden ones do not', () => {
  expect(fields.map(({ json }) => json)).toEqual(['metadata', 'replicas', 'rules', 'host', 'created', 'port']);
});

test('what Go keeps, always writes and leaves out when zero is told apart', () => {
  const reference = { allOf: [{ $ref: '#/components/schemas/x' }] };
  const schema = {
    properties: {
      metadata: reference,
      replicas: { type: 'integer' },
      rules: { type: 'array' },
      host: { type: 'boolean' },
      created: reference,
      port: reference,
    },
  } as const;
  expect(toFieldEncoding(schema, fields)).toEqual({
    kept: ['replicas'],
    always: ['metadata', 'rules'],
    unlessZero: ['created'],
  });
});

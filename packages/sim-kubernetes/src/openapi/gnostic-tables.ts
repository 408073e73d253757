// The messages in which client-go reads OpenAPI v2 (openapi.v2 of gnostic), as far as this server writes them.

/** How a field is written: its number, and what it holds. */
export type Field = readonly [number: number, holds: Holds];

/**
 * A scalar, another message, several of either, a map as a list of names with values, any value as YAML, or something
 * that is wrapped in a message of one field.
 */
export type Holds =
  | 'text'
  | 'flag'
  | 'integer'
  | 'double'
  | 'any'
  | { readonly message: string }
  | { readonly list: Holds }
  | { readonly named: Holds }
  | { readonly wrap: Holds; readonly number: number };

export type Message = {
  readonly fields: Readonly<Record<string, Field>>;
  /** Where names that begin with `x-` go. */
  readonly extensions?: number;
};

const texts: Holds = { list: 'text' };
const of = (message: string): Holds => ({ message });
const wrap = (holds: Holds, number = 1): Holds => ({ wrap: holds, number });
const mapOf = (holds: Holds): Holds => wrap({ named: holds });

const parameterFields: Readonly<Record<string, Field>> = {
  required: [1, 'flag'],
  in: [2, 'text'],
  description: [3, 'text'],
  name: [4, 'text'],
};

export const messages: Readonly<Record<string, Message>> = {
  Document: {
    fields: {
      swagger: [1, 'text'],
      info: [2, of('Info')],
      paths: [8, wrap({ named: of('PathItem') }, 2)],
      definitions: [9, mapOf(of('Schema'))],
      securityDefinitions: [13, mapOf(wrap(of('ApiKey'), 2))],
    },
  },
  Info: { fields: { title: [1, 'text'], version: [2, 'text'] } },
  ApiKey: { fields: { type: [1, 'text'], name: [2, 'text'], in: [3, 'text'], description: [4, 'text'] } },
  PathItem: {
    fields: {
      get: [2, of('Operation')],
      put: [3, of('Operation')],
      post: [4, of('Operation')],
      delete: [5, of('Operation')],
      patch: [8, of('Operation')],
      parameters: [9, { list: of('Parameter') }],
    },
  },
  Operation: {
    fields: {
      tags: [1, texts],
      operationId: [5, 'text'],
      produces: [6, texts],
      consumes: [7, texts],
      parameters: [8, { list: of('Parameter') }],
      responses: [9, mapOf(wrap(of('Response')))],
      schemes: [10, texts],
    },
    extensions: 13,
  },
  Response: { fields: { description: [1, 'text'], schema: [2, wrap(of('Schema'))] } },
  BodyParameter: {
    fields: {
      description: [1, 'text'],
      name: [2, 'text'],
      in: [3, 'text'],
      required: [4, 'flag'],
      schema: [5, of('Schema')],
    },
  },
  QueryParameter: { fields: { ...parameterFields, type: [6, 'text'], uniqueItems: [20, 'flag'] } },
  PathParameter: { fields: { ...parameterFields, type: [5, 'text'], uniqueItems: [19, 'flag'] } },
  Schema: {
    fields: {
      $ref: [1, 'text'],
      format: [2, 'text'],
      title: [3, 'text'],
      description: [4, 'text'],
      multipleOf: [6, 'double'],
      maximum: [7, 'double'],
      exclusiveMaximum: [8, 'flag'],
      minimum: [9, 'double'],
      exclusiveMinimum: [10, 'flag'],
      maxLength: [11, 'integer'],
      minLength: [12, 'integer'],
      pattern: [13, 'text'],
      maxItems: [14, 'integer'],
      minItems: [15, 'integer'],
      uniqueItems: [16, 'flag'],
      maxProperties: [17, 'integer'],
      minProperties: [18, 'integer'],
      required: [19, texts],
      enum: [20, { list: 'any' }],
      additionalProperties: [21, of('AdditionalProperties')],
      type: [22, wrap(texts)],
      items: [23, wrap({ list: of('Schema') })],
      properties: [25, mapOf(of('Schema'))],
    },
    extensions: 31,
  },
};

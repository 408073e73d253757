import type { FieldError } from '../../registry/field-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import { subdomainName } from '../../registry/name-checks.ts';
import { invalidField, requiredField, tooLongField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, text, textMap } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkDataKey, checkPrefix, checkSame } from '../validation/field-checks.ts';
import { decodedBytes, maxDataBytes, validateFrozen } from './config-map.ts';

const accountName = 'kubernetes.io/service-account.name';

export const secret: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  strategy: {
    noGeneration: true,
    fieldLabels: (object) => ({ type: text(object, 'type') }),
    validate: (object) => {
      const data = textMap(object, 'data');
      const errors = Object.keys(data).flatMap((key) => checkDataKey(key, 'data'));
      if (decodedBytes(data) > maxDataBytes) errors.push(tooLongField('data', maxDataBytes));
      return [...errors, ...validateByType(object, data)];
    },
    validateUpdate: (next, old) => [
      ...checkPrefix(next, subdomainName),
      ...checkSame(next['type'], old['type'], 'type'),
      ...validateFrozen(next, old, ['data']),
    ],
  },
};

type Data = Readonly<Record<string, string>>;

const byType: Readonly<Record<string, (data: Data, object: JsonObject) => Errors>> = {
  'kubernetes.io/service-account-token': (_, object) =>
    (textMap(child(object, 'metadata'), 'annotations')[accountName] ?? '') === ''
      ? [requiredField(`metadata.annotations[${accountName}]`)]
      : [],
  'kubernetes.io/dockercfg': (data) => validateJson(data, '.dockercfg'),
  'kubernetes.io/dockerconfigjson': (data) => validateJson(data, '.dockerconfigjson'),
  'kubernetes.io/basic-auth': (data) =>
    'username' in data || 'password' in data ? [] : [requiredField('data[username]'), requiredField('data[password]')],
  'kubernetes.io/ssh-auth': (data) =>
    (data['ssh-privatekey'] ?? '') === '' ? [requiredField('data[ssh-privatekey]')] : [],
  'kubernetes.io/tls': (data) =>
    ['tls.crt', 'tls.key'].filter((key) => !(key in data)).map((key) => requiredField(`data[${key}]`)),
};

function validateByType(object: JsonObject, data: Data): Errors {
  return byType[text(object, 'type')]?.(data, object) ?? [];
}

function validateJson(data: Data, key: string): readonly FieldError[] {
  const value = data[key];
  if (value === undefined) return [requiredField(`data[${key}]`)];
  const content = Buffer.from(value, 'base64').toString();
  const fault = jsonFault(content);
  return fault === undefined ? [] : [invalidField(`data[${key}]`, '<secret contents redacted>', fault)];
}

function jsonFault(content: string): string | undefined {
  if (content.trim() === '') return 'unexpected end of JSON input';
  try {
    JSON.parse(content);
    return undefined;
  } catch {
    const start = content.trim().charAt(0);
    return `invalid character '${start}' looking for beginning of value`;
  }
}

import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import { registerNamespace } from './cel-namespace.ts';
import { isDate, isDateTime, matchesFormat } from '../formats.ts';
import {
  checkLabel,
  checkLabel1035,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
} from '../../registry/name-checks.ts';
import { parseRequestUri } from '../go-url.ts';

class Format {
  readonly check: (text: string) => readonly string[];
  constructor(check: (text: string) => readonly string[]) {
    this.check = check;
  }
}

type Check = (text: string) => readonly string[];

const says =
  (holds: (text: string) => boolean, message: string): Check =>
  (text) =>
    holds(text) ? [] : [message];

/** A prefix may end in a dash: it is checked as if a name followed. */
const prefix =
  (check: Check): Check =>
  (text) =>
    check(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);

const formats: Readonly<Record<string, Check>> = {
  dns1123Label: checkLabel,
  dns1123Subdomain: (text) => checkSubdomain(text),
  dns1035Label: checkLabel1035,
  qualifiedName: checkQualifiedName,
  dns1123LabelPrefix: prefix(checkLabel),
  dns1123SubdomainPrefix: prefix((text) => checkSubdomain(text)),
  dns1035LabelPrefix: prefix(checkLabel1035),
  labelValue: checkLabelValue,
  uri: (text) => (parseRequestUri(text) ? [] : [`parse "${text}": invalid URI for request`]),
  uuid: says((text) => matchesFormat('uuid', text), 'does not match the UUID format'),
  byte: says((text) => matchesFormat('byte', text), 'invalid base64'),
  date: says(isDate, 'invalid date'),
  datetime: says(isDateTime, 'invalid datetime'),
};

/** Kubernetes' named formats: `format.dns1123Label().validate(self.name)`. */
export function registerFormats(environment: Environment): void {
  registerNamespace(environment, 'format', 'FormatNamespace')
    .registerType('kubernetes.NamedFormat', Format)
    .registerFunction('FormatNamespace.named(string): optional<kubernetes.NamedFormat>', (_: object, name: string) => {
      const check = Object.hasOwn(formats, name) ? formats[name] : undefined;
      return check ? Optional.of(new Format(check)) : Optional.none();
    })
    .registerFunction(
      'kubernetes.NamedFormat.validate(string): optional<list<string>>',
      ({ check }: Format, text: string) => {
        const errors = check(text);
        return errors.length === 0 ? Optional.none() : Optional.of(errors);
      },
    );
  for (const [name, check] of Object.entries(formats)) {
    environment.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => new Format(check));
  }
}

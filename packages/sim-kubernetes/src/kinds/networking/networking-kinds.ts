import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { checkSubdomain, labelName } from '../../registry/name-checks.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { child, count, items, maybeChild, text, texts } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import {
  checkLabelSelector,
  checkOneOf,
  checkPort,
  checkSame,
  checkSubdomainField,
  portNameFaults,
} from '../validation/field-checks.ts';

const inNetworking = { group: 'networking.k8s.io', version: 'v1' } as const;

export const networkingKinds: readonly BuiltinKind[] = [
  {
    ...inNetworking,
    kind: 'IngressClass',
    strategy: {
      generationChanged: specChanged,
      validate: (object) =>
        text(child(object, 'spec'), 'controller') === '' ? [requiredField('spec.controller')] : [],
      validateUpdate: (next, old) =>
        checkSame(child(next, 'spec')['controller'], child(old, 'spec')['controller'], 'spec.controller'),
    },
  },
  {
    ...inNetworking,
    kind: 'Ingress',
    strategy: { generationChanged: specChanged, validate: (object) => validateIngress(child(object, 'spec')) },
  },
  {
    ...inNetworking,
    kind: 'NetworkPolicy',
    strategy: {
      generationChanged: specChanged,
      validate: (object) => checkLabelSelector(child(child(object, 'spec'), 'podSelector'), 'spec.podSelector'),
    },
  },
];

function validateIngress(spec: Draft): Errors {
  const rules = items(spec, 'rules');
  const backend = maybeChild(spec, 'defaultBackend');
  const errors: FieldError[] = [];
  if (rules.length === 0 && backend === undefined) {
    errors.push(invalidField('spec', null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (backend !== undefined) errors.push(...validateBackend(backend, 'spec.defaultBackend'));
  errors.push(...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)));
  errors.push(...items(spec, 'tls').flatMap((tls, index) => validateTls(tls, `spec.tls[${index}]`)));
  const ingressClass = text(spec, 'ingressClassName');
  if (ingressClass !== '') errors.push(...checkSubdomainField(ingressClass, 'spec.ingressClassName'));
  return errors;
}

const wildcard = /^\*\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

function hostFaults(host: string): readonly string[] {
  if (!host.includes('*')) return checkSubdomain(host);
  if (wildcard.test(host)) return [];
  return [
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

function validateRule(rule: Draft, path: string): Errors {
  const host = text(rule, 'host');
  const errors: FieldError[] = [];
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) {
    errors.push(invalidField(`${path}.host`, host, 'must be a DNS name, not an IP address'));
  }
  if (host !== '') errors.push(...hostFaults(host).map((fault) => invalidField(`${path}.host`, host, fault)));
  const http = maybeChild(rule, 'http');
  if (http === undefined) return errors;
  const paths = items(http, 'paths');
  if (paths.length === 0) errors.push(requiredField(`${path}.http.paths`));
  return [...errors, ...paths.flatMap((found, index) => validatePath(found, `${path}.http.paths[${index}]`))];
}

const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];

function validatePath(found: Draft, path: string): Errors {
  const type = text(found, 'pathType');
  const value = text(found, 'path');
  if (type === '') return [requiredField(`${path}.pathType`, 'pathType must be specified')];
  const errors: FieldError[] = [];
  const fixed = type === 'Exact' || type === 'Prefix';
  if ((fixed || value !== '') && !value.startsWith('/')) {
    errors.push(invalidField(`${path}.path`, value, 'must be an absolute path'));
  }
  if (fixed) {
    for (const part of forbiddenParts.filter((part) => value.includes(part))) {
      errors.push(invalidField(`${path}.path`, value, `must not contain '${part}'`));
    }
    for (const end of forbiddenEnds.filter((end) => value.endsWith(end))) {
      errors.push(invalidField(`${path}.path`, value, `cannot end with '${end}'`));
    }
  } else {
    errors.push(...checkOneOf(type, `${path}.pathType`, ['Exact', 'ImplementationSpecific', 'Prefix']));
  }
  return [...errors, ...validateBackend(child(found, 'backend'), `${path}.backend`)];
}

function validateBackend(backend: Draft, path: string): Errors {
  const service = maybeChild(backend, 'service');
  const resource = maybeChild(backend, 'resource');
  if (service !== undefined && resource !== undefined) {
    return [invalidField(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return [];
  if (service === undefined) return [invalidField(path, '', 'resource or service backend is required')];
  const errors: FieldError[] = [];
  const name = text(service, 'name');
  if (name === '') errors.push(requiredField(`${path}.service.name`));
  else errors.push(...labelName(name, false).map((fault) => invalidField(`${path}.service.name`, name, fault)));
  const port = child(service, 'port');
  const [portName, number] = [text(port, 'name'), count(port, 'number')];
  if (portName !== '' && number !== 0) errors.push(invalidField(path, '', 'cannot set both port name & port number'));
  else if (portName !== '') {
    errors.push(...portNameFaults(portName).map((fault) => invalidField(`${path}.service.port.name`, portName, fault)));
  } else if (number !== 0) errors.push(...checkPort(number, `${path}.service.port.number`));
  else errors.push(requiredField(path, 'port name or number is required'));
  return errors;
}

function validateTls(tls: Draft, path: string): Errors {
  const secret = text(tls, 'secretName');
  return [
    ...texts(tls, 'hosts').flatMap((host, index) =>
      hostFaults(host).map((fault) => invalidField(`${path}.hosts[${index}]`, host, fault)),
    ),
    ...(secret === '' ? [] : checkSubdomainField(secret, `${path}.secretName`)),
  ];
}

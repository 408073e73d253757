import { isIP } from 'node:net';
import { cloneJson } from '../../registry/clone-json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { labelName } from '../../registry/name-checks.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { sameJson } from '../../registry/same-json.ts';
import { duplicateField, forbiddenField, invalidField, requiredField, Verbatim } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, count, ensureChild, fill, items, text, textMap, texts } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import {
  checkLabels,
  checkOneOf,
  checkPort,
  checkPortReference,
  checkRequiredLabel,
  checkSubdomainField,
  protocols,
} from '../validation/field-checks.ts';
import { allocateClusterIp, allocateNodePorts, isHeadless, needsClusterIp } from './allocate-service.ts';

export const service: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'Service',
  strategy: {
    noGeneration: true,
    allowsCreateOnUpdate: true,
    checkName: labelName,
    fieldLabels: (object) => ({
      'spec.clusterIP': text(child(object, 'spec'), 'clusterIP'),
      'spec.type': text(child(object, 'spec'), 'type'),
    }),
    prepareForCreate: (draft, context) => allocate(draft, context, text(child(draft, 'metadata'), 'uid')),
    prepareForUpdate: prepareServiceUpdate,
    validate: (object) => validateService(child(object, 'spec')),
    validateUpdate: validateServiceUpdate,
  },
};

function allocate(draft: Draft, context: HookContext, uid: string): void {
  const spec = ensureChild(draft, 'spec');
  const owner = { name: text(child(draft, 'metadata'), 'name'), uid };
  if (!needsClusterIp(spec)) return;
  // What is wrong with the rest is said before anything is given out.
  if (validateService(spec).length > 0) return;
  allocateClusterIp(spec, owner, context);
  fill(spec, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  allocateNodePorts(spec, owner, context);
}

/** What was given out stays, and what the new type has no use for goes. */
function prepareServiceUpdate(draft: Draft, old: StoredObject, context: HookContext): void {
  const spec = ensureChild(draft, 'spec');
  const before = child(old, 'spec');
  const [type, typeBefore] = [text(spec, 'type'), text(before, 'type')];
  if (type === 'ExternalName') {
    if (typeBefore !== 'ExternalName')
      dropUnchanged(spec, before, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']);
  } else if (typeBefore !== 'ExternalName' && text(spec, 'clusterIP') === '') {
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      if (before[key] !== undefined) spec[key] ??= cloneJson(before[key]);
    }
  }
  if (text(spec, 'clusterIP') !== '' && texts(spec, 'clusterIPs').length === 0)
    spec['clusterIPs'] = [spec['clusterIP']];
  if (!usesNodePorts(type)) dropNodePorts(spec, before);
  else keepNodePorts(spec, before);
  if (type !== 'LoadBalancer' && typeBefore === 'LoadBalancer') {
    dropUnchanged(spec, before, ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort']);
    ensureChild(draft, 'status')['loadBalancer'] = {};
  }
  if (!usesNodePorts(type) && spec['externalIPs'] === undefined) dropUnchanged(spec, before, ['externalTrafficPolicy']);
  if (validateServiceUpdate(draft as JsonObject, old).length === 0) allocate(draft, context, old.metadata.uid);
}

const usesNodePorts = (type: string): boolean => type === 'NodePort' || type === 'LoadBalancer';

function dropUnchanged(spec: Draft, before: Draft, keys: readonly string[]): void {
  for (const key of keys) if (sameJson(spec[key], before[key])) delete spec[key];
}

function dropNodePorts(spec: Draft, before: Draft): void {
  const used = new Set(items(before, 'ports').map((port) => count(port, 'nodePort')));
  for (const port of items(spec, 'ports')) if (used.has(count(port, 'nodePort'))) delete port['nodePort'];
}

function samePort(a: Draft, b: Draft): boolean {
  return a['port'] === b['port'] && a['protocol'] === b['protocol'];
}

function keepNodePorts(spec: Draft, before: Draft): void {
  for (const port of items(spec, 'ports')) {
    const known = items(before, 'ports').find((found) => samePort(found, port));
    const number = count(known, 'nodePort');
    if (number !== 0 && count(port, 'nodePort') === 0) port['nodePort'] = number;
  }
}

const isIpAddress = (text: string): boolean => isIP(text) !== 0;
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function validateService(spec: Draft): Errors {
  const ports = items(spec, 'ports');
  const type = text(spec, 'type');
  const headless = isHeadless(spec);
  const errors: FieldError[] = [];
  if (ports.length === 0 && !headless && type !== 'ExternalName') errors.push(requiredField('spec.ports'));
  if ((type === 'LoadBalancer' || type === 'NodePort') && headless) {
    errors.push(invalidField('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') errors.push(...validateExternalName(spec));
  const address = texts(spec, 'clusterIPs')[0] ?? text(spec, 'clusterIP');
  if (type !== 'ExternalName' && !headless && address !== '' && !isIpAddress(address)) {
    const fault = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    errors.push(invalidField('spec.clusterIPs[0]', address, fault));
  }
  errors.push(...validatePorts(ports, type), ...checkLabels(textMap(spec, 'selector'), 'spec.selector'));
  errors.push(...checkOneOf(text(spec, 'sessionAffinity'), 'spec.sessionAffinity', ['ClientIP', 'None']));
  errors.push(...checkOneOf(type, 'spec.type', types));
  if (type !== 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== undefined) {
    const fault = "may only be used when `type` is 'LoadBalancer'";
    errors.push(forbiddenField('spec.allocateLoadBalancerNodePorts', fault));
  }
  return errors;
}

function validateExternalName(spec: Draft): Errors {
  const errors: FieldError[] = [];
  if (texts(spec, 'clusterIPs').length > 0 || text(spec, 'clusterIP') !== '') {
    errors.push(forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services'));
  }
  const name = text(spec, 'externalName').replace(/\.$/, '');
  return name === ''
    ? [...errors, requiredField('spec.externalName')]
    : [...errors, ...checkSubdomainField(name, 'spec.externalName')];
}

/** The server prints its own structure here, not that of the API. */
function asInternal(port: Draft): Verbatim {
  const { protocol, port: number } = port;
  const fields = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
  return new Verbatim(JSON.stringify(fields));
}

function validatePorts(ports: readonly Draft[], type: string): Errors {
  const names = new Set<string>();
  const places = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `spec.ports[${index}]`;
    const name = text(port, 'name');
    const errors: FieldError[] = [];
    if (name === '' && ports.length > 1) errors.push(requiredField(`${path}.name`));
    else if (name !== '') {
      errors.push(...checkRequiredLabel(name, `${path}.name`));
      if (names.has(name)) errors.push(duplicateField(`${path}.name`, name));
      names.add(name);
    }
    errors.push(...checkPort(port['port'], `${path}.port`));
    errors.push(...checkOneOf(text(port, 'protocol'), `${path}.protocol`, protocols));
    errors.push(...checkPortReference(port['targetPort'], `${path}.targetPort`));
    if (type === 'ClusterIP' && count(port, 'nodePort') !== 0) {
      errors.push(forbiddenField(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
    const place = `${count(port, 'port')}/${text(port, 'protocol')}`;
    if (places.has(place)) {
      errors.push(duplicateField(path, asInternal(port)));
    }
    places.add(place);
    return errors;
  });
}

function validateServiceUpdate(next: JsonObject, old: StoredObject): Errors {
  const [spec, before] = [child(next, 'spec'), child(old, 'spec')];
  if (!needsClusterIp(spec) || !needsClusterIp(before)) return [];
  const [was] = texts(before, 'clusterIPs');
  const [is] = texts(spec, 'clusterIPs');
  const errors: FieldError[] = [];
  if (was !== undefined && is !== was) {
    errors.push(invalidField('spec.clusterIPs[0]', texts(spec, 'clusterIPs'), 'may not change once set'));
  }
  if (is !== undefined && text(spec, 'clusterIP') !== is) {
    const fault = 'first value must match `clusterIP`';
    errors.push(invalidField('spec.clusterIPs', texts(spec, 'clusterIPs'), fault));
  }
  return errors;
}

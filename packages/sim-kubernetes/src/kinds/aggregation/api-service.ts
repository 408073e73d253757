import { checkLabel1035, checkSubdomain, pathSegmentName } from '../../registry/name-checks.ts';
import type { JsonObject } from '../../registry/json.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { age } from '../cells/cell-text.ts';
import { child, count, flag, items, maybeChild, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';

/** Which groups there are, and who serves them. Those of this server are kept by actors/api-services.ts. */
export const apiService: BuiltinKind = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  cells: (object, nowMs) => {
    const service = maybeChild(child(object, 'spec'), 'service');
    const available = items(child(object, 'status'), 'conditions').find((found) => found['type'] === 'Available');
    const [status, reason] = [text(available, 'status') || 'Unknown', text(available, 'reason')];
    return [
      object.metadata.name,
      service === undefined ? 'Local' : `${text(service, 'namespace')}/${text(service, 'name')}`,
      status === 'True' ? status : `${status}${reason === '' ? '' : ` (${reason})`}`,
      age(object, nowMs),
    ];
  },
  strategy: {
    noGeneration: true,
    allowsUnconditionalUpdate: false,
    checkName: pathSegmentName,
    prepareForCreate: (draft, { now }) => {
      if (maybeChild(child(draft, 'spec'), 'service') !== undefined) return;
      const message = 'Local APIServices are always available';
      const local = { type: 'Available', status: 'True', lastTransitionTime: now(), reason: 'Local', message };
      draft['status'] = { conditions: [local] };
    },
    validate: validateApiService,
  },
};

function validateApiService(object: JsonObject): Errors {
  const spec = child(object, 'spec');
  const [group, version, name] = [text(spec, 'group'), text(spec, 'version'), text(child(object, 'metadata'), 'name')];
  const wanted = `${version}.${group}`;
  const [minimum, priority] = [count(spec, 'groupPriorityMinimum'), count(spec, 'versionPriority')];
  const nameless = 'only v1 may have an empty group and it better be legacy kube';
  return [
    ...(name === '' || name === wanted || pathSegmentName(name, false).length > 0
      ? []
      : [invalidField('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`)]),
    ...(group === '' && version !== 'v1' ? [requiredField('spec.group', nameless)] : []),
    ...(group === '' ? [] : checkSubdomain(group).map((fault) => invalidField('spec.group', group, fault))),
    ...checkLabel1035(version).map((fault) => invalidField('spec.version', version, fault)),
    ...(minimum > 0 && minimum <= 20_000
      ? []
      : [invalidField('spec.groupPriorityMinimum', minimum, 'must be positive and less than 20000')]),
    ...(priority > 0 && priority <= 1000
      ? []
      : [invalidField('spec.versionPriority', priority, 'must be positive and less than 1000')]),
    ...validateTarget(spec),
  ];
}

function validateTarget(spec: ReturnType<typeof child>): Errors {
  const service = maybeChild(spec, 'service');
  const [bundle, insecure] = [text(spec, 'caBundle'), flag(spec, 'insecureSkipTLSVerify')];
  if (service === undefined) {
    const size = `${Buffer.from(bundle, 'base64').byteLength} bytes`;
    const noSkip = 'local APIServices may not have insecureSkipTLSVerify';
    return [
      ...(bundle === '' ? [] : [invalidField('spec.caBundle', size, 'local APIServices may not have a caBundle')]),
      ...(insecure ? [invalidField('spec.insecureSkipTLSVerify', true, noSkip)] : []),
    ];
  }
  const port = count(service, 'port');
  const portFault = 'port is not valid: must be between 1 and 65535, inclusive';
  const both = 'may not be true if caBundle is present';
  return [
    ...['namespace', 'name'].flatMap((key) =>
      text(service, key) === '' ? [requiredField(`spec.service.${key}`)] : [],
    ),
    ...(port >= 1 && port <= 65_535 ? [] : [invalidField('spec.service.port', port, portFault)]),
    ...(insecure && bundle !== '' ? [invalidField('spec.insecureSkipTLSVerify', true, both)] : []),
  ];
}

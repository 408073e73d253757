import type { FieldError } from '../../registry/field-error.ts';
import { checkSubdomain } from '../../registry/name-checks.ts';
import type { Errors } from '../../kinds/validation/field-checks.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import type { WebhookTarget } from '../../webhook-client/create-webhook-client.ts';

const form = '; desired format: https://host[/path]';

/** What is wrong with the address of a webhook. */
export function clientConfigErrors({ url, service }: WebhookTarget, at: string): Errors {
  if ((url === undefined) === (service === undefined)) {
    return [requiredField(at, 'exactly one of url or service is required')];
  }
  return url === undefined ? serviceErrors(service ?? {}, `${at}.service`) : urlErrors(url, `${at}.url`);
}

const shape = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

function urlErrors(url: string, at: string): Errors {
  const [, scheme = '', authority = '', , query = '', fragment = ''] = shape.exec(url) ?? [];
  const user = authority.slice(0, Math.max(authority.lastIndexOf('@'), 0));
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== 'https') {
    errors.push(invalidField(at, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (host === '') errors.push(invalidField(at, host, `host must be specified${form}`));
  if (authority.includes('@')) errors.push(invalidField(at, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalidField(at, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalidField(at, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function serviceErrors(service: Partial<NonNullable<WebhookTarget['service']>>, at: string): Errors {
  const { namespace = '', name = '', path = '', port = 0 } = service;
  const errors: FieldError[] = [];
  // The server's check takes the two names of a Service the wrong way round.
  if (namespace === '') errors.push(requiredField(`${at}.name`));
  if (name === '') errors.push(requiredField(`${at}.namespace`));
  if (port < 1 || port > 65_535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalidField(`${at}.port`, port, detail));
  }
  return [...errors, ...pathErrors(path, `${at}.path`)];
}

function pathErrors(path: string, at: string): Errors {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalidField(at, path, 'segment[0] may not be empty')];
  const begins = path.startsWith('/') ? [] : [invalidField(at, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...begins,
    ...steps.flatMap((step, index) => {
      const faults = step === '' ? [' may not be empty'] : checkSubdomain(step).map((fault) => `: ${fault}`);
      return faults.map((fault) => invalidField(at, path, `segment[${index}]${fault}`));
    }),
  ];
}

import { refusal } from '../../api/api-error.ts';
import type { ApiError } from '../../api/api-error.ts';
import { isFields, textOf } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { isRe2 } from './is-re2.ts';

/** Throws what a replica of cloudflared would say when it got this configuration. */
export function checkConfiguration(config: Fields): void {
  const ingress = config['ingress'] ?? [];
  if (!Array.isArray(ingress)) throw bad('ingress must be a list');
  const rules = (ingress as readonly unknown[]).map((rule, index) => {
    if (!isFields(rule)) throw bad(`Rule #${index + 1} must be an object`);
    return rule;
  });
  rules.forEach((rule, index) => checkRule(rule, index, rules.length));
  checkOrigin(config['originRequest'], 'originRequest');
}

function bad(message: string): ApiError {
  return refusal(400, 1056, `Bad Configuration: ${message}`);
}

function checkRule(rule: Fields, index: number, count: number): void {
  const hostname = textOf(rule['hostname']) ?? '';
  const path = textOf(rule['path']) ?? '';
  checkHostname(hostname);
  const catchesAll = (hostname === '' || hostname === '*') && path === '';
  const last = index === count - 1;
  if (last && !catchesAll) {
    throw bad('The last ingress rule must match all URLs (i.e. it should not have a hostname or path filter)');
  }
  if (!last && catchesAll) {
    throw bad(
      `Rule #${index + 1} is matching the hostname '${hostname}', but this will match every hostname, meaning the rules which follow it will never be triggered.`,
    );
  }
  if (path !== '' && !isRe2(path)) throw bad(`Rule #${index + 1} has an invalid regex: ${path}`);
  checkService(textOf(rule['service']) ?? '');
  checkOrigin(rule['originRequest'], `Rule #${index + 1} originRequest`);
}

function checkHostname(hostname: string): void {
  if (/:\d*$/.test(hostname)) throw bad('Hostname cannot contain a port');
  if (hostname.lastIndexOf('*') > 0 || (hostname.startsWith('*') && hostname !== '*' && !hostname.startsWith('*.'))) {
    throw bad(
      'Hostname patterns can have at most one wildcard character ("*") and it can only be used for subdomains, e.g. "*.example.com"',
    );
  }
}

const plainServices: ReadonlySet<string> = new Set(['hello_world', 'hello-world', 'bastion', 'socks-proxy']);

function checkService(service: string): void {
  if (service === '') throw bad('a rule needs a service');
  if (plainServices.has(service)) return;
  if (service.startsWith('http_status:')) {
    const code = Number(service.slice('http_status:'.length));
    if (!Number.isInteger(code) || code < 100 || code > 999) throw bad(`invalid HTTP status code in ${service}`);
    return;
  }
  if (/^unix(\+tls)?:./.test(service)) return;
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)([/?#].*)?$/i.exec(service);
  if (!found) throw bad(`${service} is an invalid address, please make sure it has a scheme and a hostname`);
  const path = found[3] ?? '';
  if (path !== '') {
    throw bad(
      `${service} is an invalid address, ingress rules don't support proxying to a different path on the origin service. The path will be the same as the eyeball request's path`,
    );
  }
}

const durations = ['connectTimeout', 'tlsTimeout', 'tcpKeepAlive', 'keepAliveTimeout', 'keepAliveConnections'];

/** Durations are whole seconds; a fraction breaks the replica that reads it. */
function checkOrigin(origin: unknown, where: string): void {
  if (origin === undefined || origin === null) return;
  if (!isFields(origin)) throw bad(`${where} must be an object`);
  for (const name of durations) {
    const value = origin[name];
    if (value !== undefined && !Number.isInteger(value)) throw bad(`${where}.${name} must be a whole number`);
  }
}

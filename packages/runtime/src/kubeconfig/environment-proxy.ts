/** Which proxy the environment names for a server: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, read as kubectl does. */
import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

export function environmentProxy(server: URL, env: Environment): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = read(env, name);
  if (proxy === '' || isExcluded(server, read(env, 'NO_PROXY'))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function read(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function isExcluded(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/gu, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isLoopback(host)) return true;
  return noProxy.split(',').some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

/** An entry is `*`, an address, a range, or a domain with all below it; addresses and domains may carry a port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(entry, host);
  // With more than one colon and no brackets it is an IPv6 address.
  const [, name = entry, entryPort] = /^\[(.*)\](?::(\d+))?$/u.exec(entry) ?? /^([^:]*):(\d+)$/u.exec(entry) ?? [];
  if (name === '' || (entryPort !== undefined && entryPort !== port)) return false;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const suffix = name.replace(/^\*\./u, '.');
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function inRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(host);
  if (family === 0 || isIP(address) !== family || !/^\d+$/u.test(bits)) return false;
  const prefix = Number(bits);
  if (prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

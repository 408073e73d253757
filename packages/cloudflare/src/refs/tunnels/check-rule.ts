/**
 * What cloudflared would refuse. A tunnel's configuration is taken or refused as a whole, so one bad rule would stop the
 * rules of everybody else: it must not get that far. Each answers what is wrong, or nothing.
 */
export function serviceProblem(service: string): string | undefined {
  if (plainServices.has(service) || /^unix(\+tls)?:./.test(service)) return undefined;
  if (service.startsWith('http_status:')) {
    return /^http_status:[1-9]\d\d$/.test(service) ? undefined : `"${service}" is no HTTP status from 100 to 999`;
  }
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(.*)$/i.exec(service) ?? [];
  if (rest === undefined) return `"${service}" needs a scheme and a host, such as http://localhost:8080`;
  return rest === '' ? undefined : `"${service}" must end after host and port: requests keep their own path`;
}

export function hostnameProblem(hostname: string): string | undefined {
  if (/:\d*$/.test(hostname)) return `"${hostname}" must not have a port`;
  const labels = (hostname.startsWith('*.') ? hostname.slice(2) : hostname).split('.');
  const isName = labels.length > 1 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
  return isName ? undefined : `"${hostname}" is no host name; a wildcard may only be its first label`;
}

/** Where Go and JavaScript differ it is said here; the rest of the two dialects is tried. */
export function pathProblem(path: string): string | undefined {
  const problem = `"${path}" is no regular expression that cloudflared understands`;
  const unquoted = path.replace(/\\(?:Q.*?(?:\\E|$)|.)/gs, (escape) => (escape.startsWith('\\Q') ? 'q' : escape));
  const bare = unquoted.replace(goEscape, 'e');
  const isStrange =
    /\\|\(\?<?[=!]/.test(bare) ||
    [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some((repeat) => Math.max(...repeat.slice(1, 3).map(toCount)) > 1000) ||
    [...bare.matchAll(/\[:\^?([a-z]+):\]/g)].some(([, name = '']) => !goClasses.has(name));
  if (isStrange) return problem;
  const translated = unquoted
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)\)/g, '')
    .replace(/\(\?[imsU]*(?:-[imsU]+)?:/g, '(?:')
    .replace(/\[:\^?[a-z]+:\]/g, 'a-z')
    // For Go a bracket that stands first is one of the class.
    .replace(/\[(\^?)\]/g, '[$1\\]')
    .replace(/\\[Az]/g, '');
  return isExpression(translated) ? undefined : problem;
}

/** All that may stand behind a backslash; Go refuses other letters, and references back. */
const goEscape =
  /\\(?:[^a-zA-Z0-9]|[abfnrtvdDsSwWBAz]|[pP](?:[CLMNPSZ]|\{\^?[A-Za-z_]+\})|x(?:[0-9a-fA-F]{2}|\{[0-9a-fA-F]{1,6}\})|0[0-7]{0,2})/gs;
const goClasses: ReadonlySet<string> = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);

function toCount(text: string | undefined): number {
  return Number(text ?? 0);
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}

const plainServices: ReadonlySet<string> = new Set(['hello_world', 'hello-world', 'bastion', 'socks-proxy']);

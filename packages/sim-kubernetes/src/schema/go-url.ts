// URLs as Go's net/url reads a request URI: absolute, or an absolute path. JavaScript's URL would normalise and
// accept more, so the parts are taken by hand.

export type GoUrl = {
  readonly scheme: string;
  /** With the port and, for IPv6, the brackets. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
};

const shape = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;

export function parseRequestUri(text: string): GoUrl | undefined {
  if (text === '' || hasControl(text)) return undefined;
  // A request URI carries no fragment: a `#` belongs to the path or the query.
  const parts = shape.exec(text.replaceAll('#', '%23'));
  if (!parts) return undefined;
  const [, scheme = '', slashes, authority = '', path = '', query = ''] = parts;
  if (scheme === '' && !text.startsWith('/')) return undefined;
  if (scheme !== '' && slashes === undefined && !path.startsWith('/')) {
    return { scheme: scheme.toLowerCase(), host: '', hostname: '', port: '', path: '', query };
  }
  const at = hostAndPort(authority.slice(authority.lastIndexOf('@') + 1));
  if (!at || !hasValidEscapes(path) || !isUserInfo(authority)) return undefined;
  return { scheme: scheme.toLowerCase(), ...at, path, query };
}

function hostAndPort(host: string): Pick<GoUrl, 'host' | 'hostname' | 'port'> | undefined {
  const v6 = /^\[([^\]]*)\](?::(\d*))?$/.exec(host);
  if (v6) return { host, hostname: v6[1] ?? '', port: v6[2] ?? '' };
  const plain = /^([^:[\]]*)(?::(\d*))?$/.exec(host);
  if (!plain || !/^(?:[A-Za-z0-9\-._~!$&'()*+,;=<>"\u0080-\u{10ffff}]|%[0-9a-fA-F]{2})*$/u.test(plain[1] ?? '')) {
    return undefined;
  }
  return { host, hostname: plain[1] ?? '', port: plain[2] ?? '' };
}

function hasValidEscapes(path: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(path);
}

function isUserInfo(authority: string): boolean {
  const user = authority.slice(0, Math.max(authority.lastIndexOf('@'), 0));
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && hasValidEscapes(user);
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

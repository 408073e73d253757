import { OperatorError } from '../operator-error.ts';

export type BindAddress = { readonly host?: string; readonly port: number };

/** `:8081`, `127.0.0.1:0`, `[::1]:8081`; `0` means: do not listen. */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === '0') return undefined;
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:[\]]*)):(\d{1,5})$/u.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new OperatorError('manager/bad-address', `not a bind address: ${text}`, { kind: 'never' });
  }
  const host = bracketed ?? plain;
  return host ? { host, port } : { port };
}

import { invalidParameter } from '../rpc/rpc-error.ts';

/** The newest rules: 0 to 128 characters, not an address of a page. */
export function checkName(name: string): void {
  if (name.length > 128 || /^https?:\/\//.test(name)) throw invalidParameter('Name');
}

export function checkDescription(description: string): void {
  if (description.length > 256 || /^https?:\/\//.test(description)) throw invalidParameter('Description');
}

import type { CloudflareError } from '@tributary/cloudflare-api';
import { retold } from './retold.ts';

/** A deletion that was refused because of what still uses the object: told by name, and tried again. */
export function inUse(refusal: CloudflareError, inTheWay: string): CloudflareError {
  return retold(refusal, {
    class: 'in-use',
    retry: { kind: 'backoff' },
    detail: `${refusal.detail}; ${inTheWay}`,
  });
}

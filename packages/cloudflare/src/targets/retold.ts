import { CloudflareError } from '@tributary/cloudflare-api';
import type { CloudflareErrorFields } from '@tributary/cloudflare-api';

/** A refusal with more to say than Cloudflare said. */
export function retold(
  refusal: CloudflareError,
  changes: Partial<Pick<CloudflareErrorFields, 'class' | 'retry' | 'detail'>>,
): CloudflareError {
  const { family, method, path, status, apiCode, messages, pointer, requestId, effect, retry, detail } = refusal;
  const said = { family, method, path, status, apiCode, messages, pointer, requestId, effect, retry, detail };
  return new CloudflareError({ ...said, class: refusal.class, ...changes }, { cause: refusal });
}

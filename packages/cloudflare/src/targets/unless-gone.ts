import { isCloudflareError } from '@tributary/cloudflare-api';

/** What a GET by id finds; nothing when it is not there, or is shown as deleted, as soft deletion leaves it. */
export async function unlessGone<T extends object>(answer: Promise<T>): Promise<T | undefined> {
  try {
    const found = await answer;
    return 'deleted_at' in found && found.deleted_at ? undefined : found;
  } catch (error) {
    if (isCloudflareError(error, 'not-found')) return undefined;
    throw error;
  }
}

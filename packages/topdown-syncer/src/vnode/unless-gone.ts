import { isNotFound } from '@tributary/runtime';

/** For a write about something that may be gone by now, which is fine. */
export async function unlessGone(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

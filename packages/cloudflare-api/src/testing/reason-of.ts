/** For tests: why a promise was rejected; undefined when it was not. */
export async function reasonOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** Asks until it holds. `describe` tells what was there instead, when it never did. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { limitMs = 40_000, describe = () => '' }: { readonly limitMs?: number; readonly describe?: () => unknown } = {},
): Promise<void> {
  const endsMs = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > endsMs) throw new Error(`waited in vain: ${what} ${JSON.stringify(await describe())}`);
    await pause(50);
  }
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

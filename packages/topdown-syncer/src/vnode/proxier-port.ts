const firstPort = 15_000;
const ports = 50_536;

/** The port under which a proxy serves a virtual node: as the original chooses it, the next free one where that is taken. */
export function proxierPort(vnode: string, taken: ReadonlySet<number>): number {
  const start = fnv1a(vnode) % ports;
  for (let step = 0; step < ports; step += 1) {
    const port = firstPort + ((start + step) % ports);
    if (!taken.has(port)) return port;
  }
  return firstPort + start;
}

function fnv1a(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  return hash;
}

const units: readonly (readonly [name: string, nanoseconds: number])[] = [
  ['h', 3.6e12],
  ['m', 6e10],
];

/** Nanoseconds as Go writes a duration: `1h30m0s`, `1.5s`, `200ms`. */
export function formatGoDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s';
  const sign = nanoseconds < 0 ? '-' : '';
  let left = Math.abs(nanoseconds);
  if (left < 1e9) return `${sign}${small(left)}`;
  let text = sign;
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    if (count > 0 || text !== sign) text += `${count}${name}`;
    left -= count * size;
  }
  return `${text}${left / 1e9}s`;
}

function small(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  return nanoseconds < 1e6 ? `${nanoseconds / 1e3}µs` : `${nanoseconds / 1e6}ms`;
}

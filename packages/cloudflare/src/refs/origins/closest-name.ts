/** The name that somebody may have meant: the closest one by the letters that differ, nothing where none is close. */
export function closestName(given: string, names: Iterable<string>): string | undefined {
  const most = given.length < 8 ? 1 : 3;
  const near = Array.from(names, (name) => ({ name, away: distance(given, name) }))
    .filter(({ away }) => away <= most)
    .toSorted((a, b) => a.away - b.away);
  return near[0]?.name;
}

/** How many letters must be put in, left out or replaced to make one of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

import type { Difference } from './compare-servers.ts';

/** For people: the request, and what each server said. */
export function tellDifference({ index, request, embedded, real }: Difference): string {
  const { target, method, path, query, headers, body } = request;
  return [
    `#${index} ${target}: embedded ${embedded.status}, real ${real.status}`,
    `  ${method} ${path}?${query.map((pair) => pair.join('=')).join('&')} ${JSON.stringify(headers)}`,
    `  body     ${short(body)}`,
    `  embedded ${short(messageOf(embedded.text))}`,
    `  real     ${short(messageOf(real.text))}`,
  ].join('\n');
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}

function short(text: string | undefined): string {
  return (text ?? '').slice(0, 400);
}

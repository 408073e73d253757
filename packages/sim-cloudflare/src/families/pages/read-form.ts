/**
 * The fields of a multipart body, by name; of files the content as text. The boundary is the first line, so that it does
 * not matter whether the header came along. JSON is taken too.
 */
export function readForm(body: string): Readonly<Record<string, string>> {
  if (body.startsWith('{')) return JSON.parse(body) as Record<string, string>;
  const end = body.indexOf('\r\n');
  if (end < 0) return {};
  const boundary = body.slice(0, end);
  const parts = body.split(boundary).slice(1, -1);
  return Object.fromEntries(
    parts.flatMap((part) => {
      const head = part.indexOf('\r\n\r\n');
      const name = /name="([^"]*)"/.exec(part.slice(0, head))?.[1];
      return name === undefined ? [] : [[name, part.slice(head + 4, -2)] as const];
    }),
  );
}

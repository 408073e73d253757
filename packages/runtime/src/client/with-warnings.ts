import type { Transport } from './transport.ts';

/** Hands on what the server warns of: deprecated versions, unknown fields, insecure settings. */
export function withWarnings(transport: Transport, onWarning: (text: string) => void): Transport {
  const report = (headers: Readonly<Record<string, string>>): void => {
    for (const text of warningTexts(headers['warning'])) onWarning(text);
  };
  return {
    request: async (request) => {
      const answer = await transport.request(request);
      report(answer.headers);
      return answer;
    },
    stream: async (request, handler) =>
      transport.stream(request, {
        ...handler,
        onHead: (head) => {
          report(head.headers);
          handler.onHead(head);
        },
      }),
    close: transport.close,
  };
}

/** The texts in a `Warning` header: `299 - "text"`, several joined by commas, quotes inside escaped. */
export function warningTexts(header: string | undefined): readonly string[] {
  const values = (header ?? '').matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/gu);
  return Array.from(values, ([, text]) => (text ?? '').replaceAll(/\\(.)/gu, '$1'));
}

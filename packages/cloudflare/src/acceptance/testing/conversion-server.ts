import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { issueCertificates } from '../../conversion/certificates.ts';
import { answerReview } from '../../conversion/review.ts';

/** The conversion of tunnels for an API server on this machine, where there is no network of Services. */
export type ConversionServer = {
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  readonly stop: () => Promise<void>;
};

export async function startConversionServer(): Promise<ConversionServer> {
  const { ca, cert, key } = await issueCertificates({ hosts: ['localhost'], now: Date.now(), validDays: 1 });
  const server = createServer({ cert, key }, (request, response) => {
    void textOf(request).then((text) => response.end(JSON.stringify(answerReview(JSON.parse(text)))));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: { url: `https://localhost:${port}/convert`, caBundle: Buffer.from(ca).toString('base64') },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

import { goQuote } from '../schema/go-format.ts';
import type { WebhookReply } from './webhook-transport.ts';

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  410: 'the server could not find the requested resource',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** What a reply that is no success means, as the client of the API server words it; undefined when it is one. */
export function replyError({ status, headers, body }: WebhookReply): string | undefined {
  if (status >= 200 && status <= 206) return undefined;
  const type = headers['content-type'] ?? '';
  const said = type === '' || type.startsWith('text/') ? body.trim() : 'unknown';
  const known = texts[status];
  if (known !== undefined) return known;
  if (status === 403 || status === 415) return said;
  if (status === 406) {
    return said === 'unknown' ? 'the server was unable to respond with a content type that the client supports' : said;
  }
  if (status >= 500) return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

import { X509Certificate } from 'node:crypto';
import { isAlreadyExists, isConflict, isNotFound, secretKind } from '@tributary/runtime';
import type { Clock, KubeClient, Secret } from '@tributary/runtime';
import { issueCertificates } from './certificates.ts';
import type { Certificates } from './certificates.ts';

export type CertificateStoreOptions = {
  readonly namespace: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly validDays?: number;
};

export type CertificateStoreDeps = {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly clock: Pick<Clock, 'now'>;
};

/**
 * The certificates of the webhook, one set for all replicas, in a Secret. Whoever finds none, or old ones, makes new ones; of
 * several at once one wins and the others take what it wrote. The former authority stays trusted until the next turn,
 * since a replica may still show what it signed.
 */
export async function keepCertificates(
  options: CertificateStoreOptions,
  { client, clock }: CertificateStoreDeps,
): Promise<Certificates> {
  const { namespace, name, hosts, validDays = 90 } = options;
  const seen = await read({ namespace, name }, client);
  const current = seen && fromSecret(seen);
  if (current && !isDue(current.cert, clock.now())) return current;
  const made = await issueCertificates({ hosts, now: clock.now(), validDays });
  const wanted = current ? { ...made, ca: `${made.ca}\n${firstOf(current.ca)}` } : made;
  try {
    await write({ namespace, name }, seen, wanted, client);
    return wanted;
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    const others = await read({ namespace, name }, client);
    return (others && fromSecret(others)) ?? wanted;
  }
}

/** At two thirds of its life, so that a replica that sleeps for long still finds a valid one. */
export function isDue(cert: string, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now >= from + ((to - from) * 2) / 3;
}

type Ref = { readonly namespace: string; readonly name: string };

async function read(ref: Ref, client: Pick<KubeClient, 'get'>): Promise<Secret | undefined> {
  try {
    return await client.get(secretKind, ref);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function write(
  ref: Ref,
  seen: Secret | undefined,
  { ca, cert, key }: Certificates,
  client: CertificateStoreDeps['client'],
): Promise<void> {
  const texts = { 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key };
  const data = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  );
  if (seen) await client.update(secretKind, { ...seen, data });
  else await client.create(secretKind, { metadata: ref, type: 'kubernetes.io/tls', data });
}

function fromSecret({ data = {} }: Secret): Certificates | undefined {
  const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString();
  const found = { ca: text('ca.crt'), cert: text('tls.crt'), key: text('tls.key') };
  return found.ca && found.cert && found.key ? found : undefined;
}

function firstOf(bundle: string): string {
  const end = '-----END CERTIFICATE-----';
  return bundle.slice(0, bundle.indexOf(end) + end.length);
}

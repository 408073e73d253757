/** A server certificate and the authority that the API server must trust for it, all PEM. */
export type Certificates = { readonly ca: string; readonly cert: string; readonly key: string };

export type CertificateRequest = {
  /** The names that the server is called by. */
  readonly hosts: readonly string[];
  readonly now: number;
  readonly validDays: number;
};

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;

/**
 * Makes both anew. The authority's key is thrown away at once: it has signed what it was for, and nobody can sign more.
 * The library is loaded when it is needed, for it is large and most processes read certificates that are there.
 */
export async function issueCertificates({ hosts, now, validDays }: CertificateRequest): Promise<Certificates> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  // Clocks of API servers may be behind ours.
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + validDays * dayMs) };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=cloudflare-operator conversion webhook',
    ...validity,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const own = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts[0] ?? 'webhook'}`,
    issuer: authority.subject,
    ...validity,
    signingAlgorithm: algorithm,
    publicKey: own.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', own.privateKey), 'PRIVATE KEY');
  return { ca: authority.toString('pem'), cert: certificate.toString('pem'), key };
}

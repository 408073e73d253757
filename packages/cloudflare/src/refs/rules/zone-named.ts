import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { cloudflareDomainKind } from '../../kinds/cloudflare-domain/resource.ts';
import { zoneOf } from '../zone-of.ts';
import type { Zone } from '../zone-of.ts';

/** The zone of this very name. A CloudflareDomain of it knows the id, and credentials where the object names none. */
export function zoneNamed(
  refs: Refs,
  { zone, credentialsRef }: { readonly zone: string; readonly credentialsRef?: { readonly name: string } | undefined },
  namespace: string | undefined,
): Resolution<Zone> {
  const domain = zone.toLowerCase();
  const isKnown = refs.list(cloudflareDomainKind).some(({ spec }) => spec.domain.toLowerCase() === domain);
  return zoneOf(refs, {
    cloudflare: { domain, ...(credentialsRef && { credentialsRef }) },
    namespace,
    // A name would also be met by the domain above it, which may be another zone.
    ...(isKnown && { name: domain }),
  });
}

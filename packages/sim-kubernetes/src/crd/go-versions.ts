import { Verbatim } from '../schema/field-errors.ts';
import { goJsonInOrder } from '../schema/go-format.ts';
import type { CrdVersion } from './crd-object.ts';

/** The versions as the server prints them in a message: the fields of its Go structs, shared parts taken out. */
export function goVersions(versions: readonly CrdVersion[], sharedSchema: boolean): Verbatim {
  const fields = versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: sharedSchema ? null : { OpenAPIV3Schema: version.schema?.openAPIV3Schema ?? null },
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
  return new Verbatim(goJsonInOrder(fields));
}

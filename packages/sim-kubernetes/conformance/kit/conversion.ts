import type { Asked } from './webhook-server.ts';
import type { Loose } from './wire-client.ts';

const schemaOf = (field: string, more: Loose = {}): Loose => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { [field]: { type: 'integer', minimum: 0 } } }, ...more },
  },
});
export const versionOf = (name: string, field: string, more: Loose = {}): Loose => ({
  name,
  served: true,
  storage: false,
  schema: schemaOf(field),
  ...more,
});

/** `spec.metres` in v1 is `spec.feet` in v2: three feet a metre. */
export function converted(object: Loose, apiVersion: string): Loose {
  const { metres, feet } = object.spec ?? {};
  const spec = apiVersion.endsWith('v1')
    ? { ...(feet !== undefined && { metres: feet / 3 }), ...(metres !== undefined && { metres }) }
    : { ...(metres !== undefined && { feet: metres * 3 }), ...(feet !== undefined && { feet }) };
  return { ...object, apiVersion, spec };
}

export const review = ({ body }: Asked, response: Loose): Loose => ({
  apiVersion: body.apiVersion,
  kind: 'ConversionReview',
  response: { uid: body.request.uid, result: { status: 'Success' }, ...response },
});
export const convertAll = (asked: Asked): Loose =>
  review(asked, {
    convertedObjects: asked.body.request.objects.map((each: Loose) =>
      converted(each, asked.body.request.desiredAPIVersion),
    ),
  });

import { checkClusterIp, needsClusterIp } from '../kinds/core/allocate-service.ts';
import { child, text } from '../kinds/draft-fields.ts';
import type { AdmissionPlugin } from '../registry/admission.ts';

/** Whether a Service may have the address that it asks for. It stands here because the answer differs in a dry run. */
export const serviceAddress: AdmissionPlugin = {
  name: 'ServiceAddress',
  validate: ({ operation, type, subresource, object, old, dryRun }, context) => {
    const applies = type.group === '' && type.plural === 'services' && subresource === '' && operation !== 'DELETE';
    const spec = child(object, 'spec');
    if (!applies || !needsClusterIp(spec)) return;
    const address = text(spec, 'clusterIP');
    if (address === text(child(old, 'spec'), 'clusterIP')) return;
    const metadata = child(object, 'metadata');
    checkClusterIp(address, { name: text(metadata, 'name'), uid: text(metadata, 'uid') }, dryRun, context);
  },
};

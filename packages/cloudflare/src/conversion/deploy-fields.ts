import { isMap } from '../refs/tunnels/strategic-merge.ts';
import type { Json } from '../refs/tunnels/strategic-merge.ts';

// v1alpha1 has fields for the Deployment where v1alpha2 has a patch of it.

const defaultImage = 'cloudflare/cloudflared:2025.4.0';
const container = 'cloudflared';

/** The patch that says what `size`, `image`, `nodeSelectors` and `tolerations` say. */
export function toDeployPatch({ size = 1, image, nodeSelectors, tolerations }: Json): Json {
  const pod = {
    ...(isMap(nodeSelectors) && Object.keys(nodeSelectors).length > 0 && { nodeSelector: nodeSelectors }),
    ...(Array.isArray(tolerations) && tolerations.length > 0 && { tolerations }),
    ...(typeof image === 'string' && image !== '' && { containers: [{ name: container, image }] }),
  };
  const spec = {
    ...(size !== 1 && { replicas: size }),
    ...(Object.keys(pod).length > 0 && { template: { spec: pod } }),
  };
  return Object.keys(spec).length > 0 ? { spec } : {};
}

/** The fields that show what they can of a patch. */
export function fromDeployPatch(patch: Json): Json {
  const spec = mapOf(patch['spec']);
  const pod = mapOf(mapOf(spec['template'])['spec']);
  const containers: readonly unknown[] = Array.isArray(pod['containers']) ? pod['containers'] : [];
  const own = mapOf(containers.find((one) => mapOf(one)['name'] === container));
  const { image } = own;
  return {
    size: typeof spec['replicas'] === 'number' ? spec['replicas'] : 1,
    image: typeof image === 'string' ? image : defaultImage,
    ...(isMap(pod['nodeSelector']) && { nodeSelectors: pod['nodeSelector'] }),
    ...(Array.isArray(pod['tolerations']) && { tolerations: pod['tolerations'] }),
  };
}

function mapOf(value: unknown): Json {
  return isMap(value) ? value : {};
}

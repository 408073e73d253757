import type { Clock } from '@tributary/runtime/clock';
import type { TokenIssuer } from '../../auth/token-issuer.ts';
import { createTokenRequest } from '../../auth/token-request.ts';
import type { SubresourceHandler } from '../../registry/subresource.ts';
import { namespaceFinalize } from '../core/namespace.ts';
import { binding, podAssignment, podBinding } from './binding.ts';
import { podEviction } from './eviction.ts';
import { podEphemeralContainers, podResize } from './pod-updates.ts';
import { refusedSubresources } from './refused.ts';

/** Every subresource of the built-in kinds beside status and scale. */
export function builtinSubresources(deps: {
  readonly clock: Pick<Clock, 'now'>;
  readonly issuer: TokenIssuer;
}): readonly SubresourceHandler[] {
  return [
    namespaceFinalize,
    binding,
    podBinding,
    podAssignment,
    podEviction,
    podEphemeralContainers,
    podResize,
    createTokenRequest(deps.issuer, deps.clock.now),
    ...refusedSubresources,
  ];
}

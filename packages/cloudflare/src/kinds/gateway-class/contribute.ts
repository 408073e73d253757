import { crdKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import { gatewayController, settingsOf, tunnelGatewayClassConfigKind } from '../../refs/gateway/claim-gateway.ts';
import { gatewayClassKind } from '../../refs/gateway/gateway-kinds.ts';
import type { GatewayClass } from '../../refs/gateway/gateway-kinds.ts';
import { toConditions, verdict } from '../../refs/gateway/verdict.ts';

/** Asks for nothing itself: it says whether its settings are there. */
export const gatewayClassContributor = defineContributor<GatewayClass, undefined>({
  kind: gatewayClassKind,
  optional: true,
  ready: false,
  reads: [crdKind, tunnelGatewayClassConfigKind],
  selects: ({ spec }) => spec?.controllerName === gatewayController,
  resolve: () => ({ ok: true, value: undefined }),
  contribute: () => [],
  status: (object, _view, refs, now) => {
    const settings = settingsOf(object, refs);
    const accepted = settings.ok
      ? verdict('Accepted', true, 'Accepted', 'its settings are there')
      : verdict('Accepted', false, 'InvalidParameters', settings.message);
    const { generation } = object.metadata;
    return { conditions: toConditions(object.status?.conditions, [accepted], { now, generation }) };
  },
});

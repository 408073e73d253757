import { defineRouteContributor } from '../../refs/gateway/define-route-contributor.ts';
import { udpRouteType } from '../../refs/gateway/route-types.ts';

export const udpRouteContributor = defineRouteContributor(udpRouteType);

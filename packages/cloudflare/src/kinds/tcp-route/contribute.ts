import { defineRouteContributor } from '../../refs/gateway/define-route-contributor.ts';
import { tcpRouteType } from '../../refs/gateway/route-types.ts';

export const tcpRouteContributor = defineRouteContributor(tcpRouteType);

import { defineRouteContributor } from '../../refs/gateway/define-route-contributor.ts';
import { grpcRouteType } from '../../refs/gateway/route-types.ts';

export const grpcRouteContributor = defineRouteContributor(grpcRouteType);

import { defineRouteContributor } from '../../refs/gateway/define-route-contributor.ts';
import { httpRouteType } from '../../refs/gateway/route-types.ts';

export const httpRouteContributor = defineRouteContributor(httpRouteType);

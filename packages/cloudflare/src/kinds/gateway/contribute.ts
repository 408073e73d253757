import { crdKind, namespaceKind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Notice } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { dnsRecordKind } from '../../refs/dns-record-kind.ts';
import { tunnelGatewayClassConfigKind } from '../../refs/gateway/claim-gateway.ts';
import { gatewayClassKind, gatewayKind, referenceGrantKind } from '../../refs/gateway/gateway-kinds.ts';
import type { Gateway } from '../../refs/gateway/gateway-kinds.ts';
import { routeTypes } from '../../refs/gateway/route-types.ts';
import { labelValue } from '../../refs/tunnels/cloudflared-deployment.ts';
import { fatesOfRecords, recordChildren } from '../../refs/tunnels/record-children.ts';
import { ruleNotices, warning } from '../../refs/tunnels/rule-notices.ts';
import { tunnelReads } from '../../refs/tunnels/tunnel-reads.ts';
import { defaultFallback, tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import { finalizer, isOurs, resolveGateway } from './resolve.ts';
import type { ResolvedGateway } from './resolve.ts';
import { gatewayStatus } from './status.ts';

/** Its routes bring their rules themselves; the Gateway brings the records of their hosts and the last answer. */
export const gatewayContributor = defineContributor<Gateway, ResolvedGateway>({
  kind: gatewayKind,
  optional: true,
  finalizer,
  ready: false,
  reads: [crdKind, namespaceKind, tunnelGatewayClassConfigKind, ...tunnelReads],
  mayRead: [gatewayClassKind, referenceGrantKind, ...routeTypes.map(({ kind }) => kind)],
  childKinds: [dnsRecordKind],
  selects: isOurs,
  resolve: resolveGateway,
  contribute: (_gateway, { tunnel, config, priority, records }) => {
    const { accountId, tunnelId, credentials } = tunnel;
    const { fallbackTarget } = config.spec;
    // Also with nothing to say: so the Gateway knows how its tunnel does.
    const wish = fallbackTarget === defaultFallback ? {} : { fallbackTarget };
    const options = { credentials, priority };
    return [contribution(tunnelConfigurationContract, { accountId, tunnelId }, wish, options), ...records];
  },
  children: (gateway, { recordHosts: hosts, tunnel, priority }) => {
    const labels = {
      ...gateway.spec?.infrastructure?.labels,
      'cloudflare-operator.io/managed-by': 'gateway-controller',
      'cloudflare-operator.io/gateway': labelValue(gateway.metadata.name ?? ''),
    };
    return recordChildren(gateway, { hosts, tunnel, labels, priority });
  },
  status: gatewayStatus,
  events: (_gateway, { wishes, dnsProblems }, view): readonly Notice[] => [
    ...ruleNotices(wishes.problems, view),
    ...[...dnsProblems, ...fatesOfRecords(view).problems].map((problem) => warning('DNSError', problem)),
  ],
});

import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import type { Call, Family } from '../../api/route.ts';
import { collectionRoutes } from '../collection-routes.ts';
import { postureRules } from './device-tables.ts';
import type { PostureRule } from './device-tables.ts';

const types = new Set([
  'file',
  'application',
  'tanium',
  'gateway',
  'warp',
  'disk_encryption',
  'serial_number',
  'sentinelone',
  'carbonblack',
  'firewall',
  'os_version',
  'domain_joined',
  'client_certificate',
  'client_certificate_v2',
  'antivirus',
  'unique_client_id',
  'kolide',
  'tanium_s2s',
  'crowdstrike_s2s',
  'intune',
  'workspace_one',
  'sentinelone_s2s',
  'custom_s2s',
]);

/** Fields of the input that are accepted and then left out of what is read back. */
const unread = new Set([
  'version',
  'path',
  'sha256',
  'operator',
  'network_status',
  'os_distro_name',
  'os_distro_revision',
]);

export const postureRuleFamily: Family = {
  name: 'posture-rules',
  routes: collectionRoutes<PostureRule>({
    path: 'devices/posture',
    access: accountAccess('Zero Trust'),
    table: postureRules,
    notFound: { status: 404, code: 6024, message: 'device posture rule not found' },
    build,
    toView,
  }),
};

function build(call: Call, old: PostureRule | undefined): PostureRule {
  const fields = toFields(call.body);
  const name = textOf(fields['name']) ?? '';
  if (name === '') throw refusal(400, 6020, 'name is required');
  const type = textOf(fields['type']) ?? '';
  if (!types.has(type)) throw refusal(400, 6021, `unknown posture rule type ${type}`);
  const { id: _id, ...definition } = fields;
  return { id: old?.id ?? call.world.ids.uuid(), name, type, definition };
}

function toView({ id, name, type, definition }: PostureRule): object {
  const { input } = definition;
  const fields: Fields = isFields(input) ? input : {};
  const read = Object.entries(fields).filter(([key]) => !unread.has(key));
  const disks = type === 'disk_encryption' ? { check_disks: [] } : {};
  return {
    schedule: '5m',
    description: '',
    ...definition,
    input: { operating_system: '', enabled: false, ...disks, ...Object.fromEntries(read) },
    id,
    name,
    type,
  };
}

import { expect, test } from 'vitest';
import { toWireInput } from './posture-input.ts';

test.each([
  [
    { path: '/a', exists: false, sha256: 's', thumbprint: 't', running: true },
    { path: '/a', exists: false, sha256: 's', thumbprint: 't', running: true },
  ],
  [
    { requireAll: true, checkDisks: ['C'] },
    { requireAll: true, checkDisks: ['C'] },
  ],
  [
    { version: '1', operator: '>=' as const, versionOperator: '<' as const },
    { version: '1', operator: '>=', versionOperator: '<' },
  ],
  [
    { issueCount: 0, countOperator: '==' as const },
    { issue_count: '0', countOperator: '==' },
  ],
  [
    { activeThreats: 0, score: 0, totalScore: 0, scoreOperator: '>' as const },
    { active_threats: 0, score: 0, total_score: 0, scoreOperator: '>' },
  ],
  [
    { connectionId: 'c', lastSeen: '1h', eidLastSeen: '2h' },
    { connection_id: 'c', last_seen: '1h', eid_last_seen: '2h' },
  ],
  [
    { osDistroName: 'ubuntu', osDistroRevision: '24', osVersionExtra: 'x', operatingSystem: 'linux' },
    { os_distro_name: 'ubuntu', os_distro_revision: '24', os_version_extra: 'x', operating_system: 'linux' },
  ],
  [{ commonName: 'a', cn: 'b' }, { cn: 'a' }],
  [{ cn: 'b' }, { cn: 'b' }],
  [
    { certificateId: 'c', checkPrivateKey: true, extendedKeyUsage: ['clientAuth'] },
    { certificate_id: 'c', check_private_key: true, extended_key_usage: ['clientAuth'] },
  ],
  [
    { locations: [{ paths: ['/a'] }, { paths: ['/b'], trustStores: ['system'] }] },
    { locations: { paths: ['/a', '/b'], trust_stores: ['system'] } },
  ],
])('%j is %j to the API', (input, wire) => {
  expect(toWireInput(input)).toEqual(wire);
});

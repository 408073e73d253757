import type { Fixture } from './fixture.ts';

const cloudflare = {};
const api = 'apiVersion: networking.cloudflare-operator.io/v1alpha2';
const make = (kind: string, name: string, spec: string): string =>
  `{ ${api}, kind: ${kind}, metadata: { name: ${name} }, spec: { ${spec}, cloudflare: {} } }`;

const identities = [
  make('AccessIdentityProvider', 'gh', 'type: github, config: { clientId: a, clientSecret: b }'),
  make('AccessIdentityProvider', 'pin', 'type: onetimepin'),
].join('\n---\n');
const groups = ['staff', 'guests']
  .map((name) => make('AccessGroup', name, 'include: [{ everyone: true }]'))
  .join('\n---\n');
const policies = ['open', 'closed']
  .map((name) => make('AccessPolicy', name, 'include: [{ everyone: true }]'))
  .join('\n---\n');

/** What is at Cloudflare and no object of the cluster: two of each, known by their ids. */
const foreign = ['elsewhere', 'further'].flatMap((name) => [
  ['/access/service_tokens', { name }] as const,
  ['/access/identity_providers', { name, type: 'github', config: { client_id: name } }] as const,
  ['/access/groups', { name, include: [{ everyone: {} }] }] as const,
  ['/access/policies', { name, decision: 'allow', include: [{ everyone: {} }] }] as const,
]);
const ruleValues = {
  '*serviceToken.tokenId': ['$made:0', '$made:4'],
  '*loginMethod.id': ['$made:1', '$made:5'],
  '*idpRef.cloudflareId': ['$made:1', '$made:5'],
  '*group.id': ['$made:2', '$made:6'],
  '*idpRef.name': ['gh', 'pin'],
  '*idpRef.cloudflareName': ['gh', 'pin'],
  '*emailDomain.domain': ['example.com', 'example.net'],
  '*email.email': ['a@example.com', 'b@example.com'],
  '*gsuite.email': ['a@example.com', 'b@example.com'],
  '*ipRanges.ip': [['192.0.2.0/24'], ['198.51.100.0/24']],
  // Of what is required all must hold, and nobody is in two countries.
  '*require[].country.country': [['DE'], ['FR']],
  '*country.country': [['DE'], ['FR', 'IT']],
  '*everyone': [true, true],
  '*certificate': [true, true],
  '*anyValidServiceToken': [true, true],
} as const;

export const zeroTrustFixtures: Readonly<Record<string, Fixture>> = {
  AccessGroup: {
    remote: foreign,
    needs: identities,
    bases: [{ include: [{ everyone: true }], cloudflare }],
    values: ruleValues,
  },
  AccessPolicy: {
    remote: foreign,
    needs: identities,
    bases: [{ include: [{ everyone: true }], cloudflare }],
    values: { ...ruleValues, sessionDuration: ['2h', '3h'], approvalsRequired: [1, 2] },
  },
  AccessServiceToken: {
    bases: [{ secretRef: { name: 'ci', namespace: 'default' }, cloudflare }],
    values: {
      duration: ['8760h', 'forever'],
      'secretRef.namespace': ['default', 'default'],
      'secretRef.name': ['ci', 'ci'],
      'secretRef.clientIdKey': ['id', 'other-id'],
      'secretRef.clientSecretKey': ['secret', 'other-secret'],
    },
  },
  AccessIdentityProvider: {
    needs: `{ apiVersion: v1, kind: Secret, metadata: { name: idp, namespace: default }, stringData: { it: s3cret, other: s3cret2 } }`,
    bases: [
      {
        type: 'oidc',
        config: { clientId: 'a', authUrl: 'https://a/', tokenUrl: 'https://b/', certsUrl: 'https://c/' },
        cloudflare,
      },
      {
        type: 'saml',
        config: { issuerUrl: 'https://a/', ssoTargetUrl: 'https://b/', idpPublicCerts: ['x'] },
        cloudflare,
      },
      { type: 'onetimepin', cloudflare },
    ],
    values: {
      type: ['oidc', 'oidc'],
      'configSecretRef.name': ['idp', 'idp'],
      'configSecretRef.key': ['it', 'other'],
      'configSecretRef.namespace': ['default', 'default'],
    },
  },
  AccessApplication: {
    remote: foreign,
    needs: `${identities}\n---\n${groups}\n---\n${policies}`,
    bases: [
      { domain: 'wiki.example.com', cloudflare },
      { domain: 'wiki.example.com', policies: [{ include: [{ everyone: true }] }], cloudflare },
      { domain: 'wiki.example.com', policies: [{ name: 'staff' }], cloudflare },
      { domain: 'wiki.example.com', policies: [{ groupId: '$made:2' }], cloudflare },
      { domain: 'wiki.example.com', policies: [{ cloudflareGroupName: 'elsewhere' }], cloudflare },
      { domain: 'wiki.example.com', reusablePolicyRefs: [{ name: 'open' }], cloudflare },
      {
        domain: 'wiki.example.com',
        destinations: [
          { type: 'public', uri: 'wiki.example.com' },
          { type: 'private', cidr: '10.0.0.0/24' },
        ],
        cloudflare,
      },
      {
        domain: 'saas.example.com',
        type: 'saas',
        saasApp: { authType: 'saml', spEntityId: 'x', consumerServiceUrl: 'https://a.example.com/' },
        cloudflare,
      },
      { domain: 'saas.example.com', type: 'saas', saasApp: { authType: 'oidc' }, cloudflare },
      {
        domain: 'wiki.example.com',
        type: 'app_launcher',
        appLauncherCustomization: { backgroundColor: '#000000' },
        cloudflare,
      },
      {
        domain: 'wiki.example.com',
        type: 'infrastructure',
        targetContexts: [{ targetAttributes: { host: ['a'] }, port: 22, protocol: 'SSH' }],
        cloudflare,
      },
    ],
    // An application keeps its type.
    apart: true,
    values: {
      ...ruleValues,
      domain: ['a.example.com', 'b.example.com'],
      type: ['self_hosted', 'self_hosted'],
      sessionDuration: ['2h', '3h'],
      'policies[].name': ['staff', 'guests'],
      allowedIdps: [['$made:1'], ['$made:5']],
      'allowedIdpRefs[].name': ['gh', 'pin'],
      selfHostedDomains: [['a.example.com'], ['b.example.com']],
      'destinations[].type': ['private', 'private'],
      'destinations[].uri': ['c.example.com', 'd.example.com'],
      'destinations[].cidr': ['10.1.0.0/24', '10.2.0.0/24'],
      'destinations[].portRange': ['80-90', '443'],
      'policies[].groupId': ['$made:2', '$made:6'],
      'policies[].cloudflareGroupName': ['elsewhere', 'further'],
      'reusablePolicyRefs[].name': ['open', 'closed'],
      'reusablePolicyRefs[].cloudflareId': ['$made:3', '$made:7'],
      'reusablePolicyRefs[].cloudflareName': ['elsewhere', 'further'],
    },
  },
  AccessTunnel: {
    needs: ['one', 'two']
      .map(
        (name) =>
          `{ apiVersion: v1, kind: Secret, metadata: { name: ${name}, namespace: default }, stringData: { CLOUDFLARE_ACCESS_SERVICE_TOKEN_ID: a, CLOUDFLARE_ACCESS_SERVICE_TOKEN_TOKEN: b, a1: a, b2: b } }`,
      )
      .join('\n---\n'),
    bases: [{ target: { fqdn: 'db.example.com' } }],
    values: { 'serviceToken.secretRef': ['one', 'two'], 'target.svc.name': ['one', 'two'] },
  },
  GatewayRule: {
    bases: [
      { action: 'block', precedence: 10, filters: ['dns'], traffic: 'any(dns.domains[*] == "a.example")', cloudflare },
      { action: 'allow', precedence: 10, filters: ['http'], traffic: 'http.request.host == "a.example"', cloudflare },
      {
        action: 'override',
        precedence: 10,
        filters: ['dns'],
        traffic: 'any(dns.domains[*] == "a.example")',
        cloudflare,
      },
    ],
    values: {
      action: ['block', 'allow'],
      filters: [['dns'], ['dns']],
      traffic: ['any(dns.domains[*] == "a.example")', 'any(dns.domains[*] == "b.example")'],
      identity: ['identity.email == "a@example.com"', 'identity.email == "b@example.com"'],
      devicePosture: ['any(device_posture.checks.passed[*] == "a")', 'any(device_posture.checks.passed[*] == "b")'],
      'schedule.timeZone': ['Europe/Berlin', 'Europe/Paris'],
      'schedule.mon': ['08:00-12:00', '09:00-13:00'],
      'schedule.tue': ['08:00-12:00', '09:00-13:00'],
      'schedule.wed': ['08:00-12:00', '09:00-13:00'],
      'schedule.thu': ['08:00-12:00', '09:00-13:00'],
      'schedule.fri': ['08:00-12:00', '09:00-13:00'],
      'schedule.sat': ['08:00-12:00', '09:00-13:00'],
      'schedule.sun': ['08:00-12:00', '09:00-13:00'],
      'expiration.expiresAt': ['2027-01-31T12:00:00Z', '2027-02-28T12:00:00Z'],
      'expiration.duration': ['24h', '48h'],
      '*checkSession.duration': ['30m', '24h'],
      '*overrideIps': [['192.0.2.1'], ['192.0.2.2']],
      '*ip': ['192.0.2.1', '192.0.2.2'],
      '*ips': [['192.0.2.1'], ['192.0.2.2']],
    },
  },
  GatewayList: {
    needs: ['one', 'two']
      .map(
        (name) =>
          `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: default }, data: { items: "x.example", a1: "y.example", b2: "z.example" } }`,
      )
      .join('\n---\n'),
    bases: [{ type: 'DOMAIN', items: [{ value: 'a.example.com' }], cloudflare }],
    values: {
      type: ['DOMAIN', 'DOMAIN'],
      'items[].value': ['a.example.com', 'b.example.com'],
      'itemsFromConfigMap.name': ['one', 'two'],
      'itemsFromConfigMap.key': ['a1', 'b2'],
      'itemsFromConfigMap.namespace': ['default', 'default'],
    },
  },
  GatewayConfiguration: { keeps: true, bases: [{ settings: { activityLog: { enabled: true } }, cloudflare }] },
  DevicePostureRule: {
    bases: [
      { type: 'file', input: { path: '/agent', exists: true }, cloudflare },
      { type: 'os_version', input: { operatingSystem: 'linux', operator: '>=', version: '1.0.0' }, cloudflare },
    ],
    values: { type: ['file', 'file'], schedule: ['1h', '2h'], expiration: ['1h', '2h'] },
  },
  DeviceSettingsPolicy: {
    remote: ['elsewhere', 'further'].map(
      (name, index) => ['/devices/policy', { name, match: 'os.name == "linux"', precedence: index + 10 }] as const,
    ),
    bases: [
      { splitTunnelExclude: [{ address: '198.51.100.0/24' }], cloudflare },
      { splitTunnelInclude: [{ address: '198.51.100.0/24' }], cloudflare },
    ],
    values: {
      profileId: ['$made:0', '$made:1'],
      '*address': ['203.0.113.0/24', '192.0.2.0/24'],
      '*host': ['a.example.com', 'b.example.com'],
      '*suffix': ['a.example.com', 'b.example.com'],
      '*dnsServer': [['192.0.2.53'], ['192.0.2.54']],
    },
  },
};

import { defineKind } from '@tributary/runtime';

export const deploymentKind = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});

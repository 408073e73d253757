// The public face: the kind, the operator as parts for a manager, the program, and what it needs on a cluster.
export { eipKind } from './eip/resource.ts';
export type { EipObject, EipSpec, EipStatus } from './eip/resource.ts';
export { createEipOperator } from './create-eip-operator.ts';
export type { EipOperatorDeps, EipOperatorOptions } from './create-eip-operator.ts';
export { eipUsage, parseEipFlags } from './eip-flags.ts';
export type { EipFlags } from './eip-flags.ts';
export { runAlibabaEip, runEipOperator } from './main.ts';
export { eipManifests, nodeOptions } from './manifests.ts';
export type { ManifestOptions } from './manifests.ts';
export type { VpcAnswer, VpcParams, VpcSend } from './provider/vpc-send.ts';

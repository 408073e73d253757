import type { Endpoint } from './wire-client.ts';

/** What a test file asks for beside the server. The real control plane always has it. */
export type ServerNeeds = {
  /** The controllers of Deployments and ReplicaSets. */
  readonly workloads?: boolean;
};

export type ServerUnderTest = {
  readonly name: 'sim' | 'real';
  readonly endpoint: Endpoint;
  /** Where the server writes every request, at level Metadata without RequestReceived. */
  readonly auditLogPath: string;
  /** Throws the history away that continue tokens and exact reads need, as the compaction of etcd does. */
  readonly compact: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

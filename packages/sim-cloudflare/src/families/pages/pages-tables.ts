import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

export type PagesProject = {
  readonly id: string;
  readonly name: string;
  readonly createdOn: string;
  readonly productionBranch: string;
  /** Nothing: files are uploaded. */
  readonly source: Fields | undefined;
  readonly buildConfig: Fields;
  readonly deploymentConfigs: { readonly preview: Fields; readonly production: Fields };
};

export type PagesDomain = {
  readonly id: string;
  readonly name: string;
  readonly createdOn: string;
  readonly createdMs: number;
  /** The zone of this account that the host lies in; empty where it lies elsewhere. */
  readonly zoneId: string;
};

export type PagesDeployment = {
  readonly id: string;
  readonly environment: 'preview' | 'production';
  readonly branch: string;
  readonly trigger: 'github:push' | 'ad_hoc';
  readonly commitHash: string;
  readonly commitMessage: string;
  readonly commitDirty: boolean;
  /** Path and hash of every uploaded file. */
  readonly manifest: Readonly<Record<string, string>>;
  /** Files that are not assets: `_headers`, `_worker.js` and the like. */
  readonly special: Readonly<Record<string, string>>;
  readonly createdMs: number;
  /** How long it takes until it is served. */
  readonly lastsMs: number;
  /** For tests: it ends in failure. */
  readonly fails: boolean;
  /** When production was rolled back to it. */
  readonly promotedMs: number;
};

export type PagesAsset = { readonly id: string; readonly contentType: string; readonly bytes: number };

/** By account; keys are names. */
export const pagesProjects = defineTable<PagesProject>('pages_projects');
/** By account and project, `account/project`; keys are hosts. */
export const pagesDomains = defineTable<PagesDomain>('pages_domains');
/** By account and project; keys are ids, the newest last. */
export const pagesDeployments = defineTable<PagesDeployment>('pages_deployments');
/** By account; keys are hashes. */
export const pagesAssets = defineTable<PagesAsset>('pages_assets');

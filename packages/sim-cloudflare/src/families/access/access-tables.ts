import type { Fields } from '../../api/fields.ts';
import { defineTable } from '../../store/table.ts';

type Stamped = { readonly id: string; readonly createdAt: string; readonly updatedAt: string };

export type Policy = Stamped & { readonly name: string; readonly definition: Fields };

/** A policy as an application has it: a reusable one by its id, or one of its own. */
export type AttachedPolicy = { readonly id: string; readonly precedence: number };

export type Application = Stamped & {
  readonly aud: string;
  readonly name: string;
  readonly type: string;
  readonly definition: Fields;
  readonly policies: readonly AttachedPolicy[];
};

export type Group = Stamped & { readonly name: string; readonly definition: Fields };

export type ServiceToken = Stamped & {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly duration: string;
  readonly enabled: boolean;
  readonly expiresAt: string;
  /** The secret before, for as long as it is still taken. */
  readonly previousSecret?: { readonly secret: string; readonly expiresAt: string } | undefined;
};

export type IdentityProvider = Stamped & {
  readonly name: string;
  readonly type: string;
  readonly config: Fields;
  readonly scimConfig: Fields | undefined;
};

export type AccessTag = Stamped & { readonly name: string };

/** All by account. Policies that belong to one application stand in `appPolicies`. */
export const policies = defineTable<Policy>('access_policies');
export const appPolicies = defineTable<Policy>('access_app_policies');
export const applications = defineTable<Application>('access_apps');
export const groups = defineTable<Group>('access_groups');
export const serviceTokens = defineTable<ServiceToken>('access_service_tokens');
export const identityProviders = defineTable<IdentityProvider>('access_identity_providers');
export const accessTags = defineTable<AccessTag>('access_tags');

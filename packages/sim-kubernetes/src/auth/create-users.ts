import { issueCertificate } from '@tributary/runtime/certificates';
import type { CertifiedKey } from '@tributary/runtime/certificates';
import { kubeconfigText } from '../http/kubeconfig.ts';
import type { UserInfo } from '../registry/admission.ts';

export type NewUser = { readonly name: string; readonly groups?: readonly string[] };

/** By what somebody comes in. */
export type UserAccess = {
  /** With a certificate of the user's own; empty when the cluster does not listen. */
  readonly kubeconfig: string;
  /** A bearer token of the same user, for calls in process. */
  readonly token: string;
};

export type Users = {
  readonly add: (user: NewUser, place: UserPlace) => UserAccess;
  readonly ownerOf: (token: string) => UserInfo | undefined;
};

export type UserPlace = {
  readonly url: string;
  /** Signs certificates; absent when the cluster does not listen. */
  readonly authority: (CertifiedKey & { readonly name: string }) | undefined;
};

/** Users that are added while the cluster runs. They have no rights but those that roles give them. */
export function createUsers(newToken: () => string): Users {
  const owners = new Map<string, UserInfo>();
  return {
    ownerOf: (token) => owners.get(token),
    add: ({ name, groups = [] }, { url, authority }) => {
      const token = newToken();
      owners.set(token, { username: name, uid: name, groups });
      if (authority === undefined) return { token, kubeconfig: '' };
      // Certificates are real, so they go by the system's clock whatever the cluster's says.
      const request = { commonName: name, organizations: groups, usage: 'client' as const, nowMs: Date.now() };
      const certificate = issueCertificate(request, authority);
      const kubeconfig = kubeconfigText({ server: url, ca: authority.certificate, user: name, certificate });
      return { token, kubeconfig };
    },
  };
}

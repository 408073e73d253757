/** The programs of a control plane, and the Go packages that they are built from. */
export type Component =
  | 'etcd'
  | 'kube-apiserver'
  | 'kubectl'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'helm';

export const kubernetesVersion = 'v1.36.3';

export type GoPackage = {
  /** The folder, beside this file, of the Go module that pins the version. */
  readonly module: 'kubernetes' | 'kwok' | 'helm';
  readonly path: string;
};

export const goPackages: Readonly<Record<Component, GoPackage>> = {
  etcd: { module: 'kubernetes', path: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  kubectl: { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kubectl' },
  'kube-controller-manager': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { module: 'kubernetes', path: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kwok: { module: 'kwok', path: 'sigs.k8s.io/kwok/cmd/kwok' },
  /** Not a part of a control plane: a client that tests run against one. */
  helm: { module: 'helm', path: 'helm.sh/helm/v4/cmd/helm' },
};

/** Without these the server would call itself v0.0.0-master and refuse to emulate any version. */
const [major, minor] = kubernetesVersion.slice(1).split('.');
export const linkerFlags = [
  '-s',
  '-w',
  `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`,
  `-X k8s.io/component-base/version.gitMajor=${major}`,
  `-X k8s.io/component-base/version.gitMinor=${minor}`,
].join(' ');

const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stability: Record<string, number> = { '': 2, beta: 1, alpha: 0 };

/** Kubernetes' order of API versions, best first: v2, v1, v2beta1, v1beta1, v1alpha1, then anything else by name. */
export function compareVersions(a: string, b: string): number {
  if (a === b) return 0;
  const [x, y] = [form.exec(a), form.exec(b)];
  if (x === null || y === null) {
    if (x !== null) return -1;
    if (y !== null) return 1;
    return a < b ? -1 : 1;
  }
  return (
    (stability[y[2] ?? ''] ?? 0) - (stability[x[2] ?? ''] ?? 0) ||
    Number(y[1]) - Number(x[1]) ||
    Number(y[3] ?? 0) - Number(x[3] ?? 0)
  );
}

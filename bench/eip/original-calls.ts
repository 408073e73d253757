export type CallCount = {
  readonly readsPerPeriod: number;
  readonly writes: number;
  readonly kubernetesWrites: number;
  readonly minutesPerSweepAtLimit: number;
};

const describesPerMinute = 600;

/**
 * What the Go original's algorithm asks for the same objects, at least. A pass describes an address twice, and the status
 * writes of a pass wake the next one, so every object is described four times in five minutes. A creation allocates and
 * tags; it writes the finalizer, Progressing, the spec, the status after each of the two looks, and the status at the end.
 */
export function countOriginalCalls(objects: number): CallCount {
  const readsPerPeriod = 4 * objects;
  return {
    readsPerPeriod,
    writes: 2 * objects,
    kubernetesWrites: 6 * objects,
    minutesPerSweepAtLimit: Math.round((readsPerPeriod / describesPerMinute) * 10) / 10,
  };
}

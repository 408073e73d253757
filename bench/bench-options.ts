export type BenchOptions = {
  readonly objects: number | undefined;
  readonly rounds: number | undefined;
  readonly say: (line: string) => void;
};

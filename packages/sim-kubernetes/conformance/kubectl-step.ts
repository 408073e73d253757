/**
 * Commands that are run one after the other on both servers. `CRD` and `NS` stand for the group and the namespace
 * of the run. What is compared is the exit code and both outputs after ages, uids and the like are masked.
 */
export type KubectlStep = {
  readonly args: readonly string[];
  readonly stdin?: string;
  /** The input goes in as it is: nothing in it stands for something else. */
  readonly verbatim?: boolean;
  /**
   * `fields`: of `explain` only names and types, as the embedded server has no prose. `exit`: the code alone. `rows`: in
   * any order, for what the real server lists by chance.
   */
  readonly compare?: 'all' | 'fields' | 'exit' | 'rows';
  /** Run again until the exit code is this: for what controllers of the real control plane do in their own time. */
  readonly untilCode?: number;
};

const words = (text: string): readonly string[] => text.split(' ');
export const step = (text: string, more: Omit<KubectlStep, 'args'> = {}): KubectlStep => ({
  args: words(text),
  ...more,
});
export const from = (text: string, stdin: string): KubectlStep => ({ args: [...words(text), '-f', '-'], stdin });

/** What a command needs of its surroundings: somewhere to speak, and a word when to end. */
export type CommandShell = {
  readonly say: (line: string) => void;
  readonly until: () => Promise<void>;
};

/** What all commands are given. */
export type Shell = {
  readonly host: NodeJS.Process;
  readonly say: (line: string) => void;
};

/** Who goes first when calls must wait: a person's change, then deletion; drift scans take what is left. */
export const priorities = ['change', 'deletion', 'drift'] as const;

export type Priority = (typeof priorities)[number];

/** Whose everything is unless a key says otherwise. */
export const defaultAccountId = '1000000000000001';

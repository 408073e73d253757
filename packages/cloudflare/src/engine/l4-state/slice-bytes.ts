/** How large a SyncState may grow. etcd takes 1.5 MB; what is left is for status and for sources that grow where they are. */
export const sliceBytes = 1_000_000;

/** From here on it is said that a SyncState comes near its limit. */
export const nearBytes = 800_000;

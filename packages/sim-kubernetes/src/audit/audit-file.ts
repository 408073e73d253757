import { closeSync, openSync, writeSync } from 'node:fs';
import type { AuditEvent } from './audit-event.ts';

export type AuditFile = {
  readonly write: (event: AuditEvent) => void;
  readonly close: () => void;
};

/** One line of JSON per event, written before the caller has its answer, as kube-apiserver does in mode `blocking`. */
export function openAuditFile(path: string): AuditFile {
  const file = openSync(path, 'a', 0o600);
  let open = true;
  return {
    write: (event) => {
      if (open) writeSync(file, `${JSON.stringify(event)}\n`);
    },
    close: () => {
      open = false;
      closeSync(file);
    },
  };
}

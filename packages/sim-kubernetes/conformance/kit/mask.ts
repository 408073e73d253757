import type { Answer, Loose } from './wire-client.ts';

const volatile: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<resourceVersion>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  lastTransitionTime: '<time>',
  lastPhaseTransitionTime: '<time>',
};

/**
 * Replaces what differs from run to run: identities, versions, times and the scratch names of the test.
 * managedFields are left out: kit/managers.ts compares them where they matter.
 */
export function masked(value: Loose, names: Readonly<Record<string, string>> = {}): Loose {
  const walk = (node: Loose): Loose => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node === 'string') return maskNames(node, names);
    if (node === null || typeof node !== 'object') return node;
    const entries = Object.entries(node)
      .filter(([key]) => key !== 'managedFields')
      .map(([key, child]) => {
        const mask = volatile[key];
        if (key === 'causes' && Array.isArray(child)) return [key, withoutRepeats(child.map(walk))];
        return [
          maskNames(key, names),
          mask !== undefined && typeof child === 'string' && child !== '' ? mask : walk(child),
        ];
      });
    return Object.fromEntries(entries);
  };
  return walk(value);
}

// The real server repeats a cause as often as it ran the same check, and its order is that of a Go map: by chance.
function withoutRepeats(causes: readonly Loose[]): readonly Loose[] {
  const byText = new Map(causes.map((cause) => [`${cause.field} ${cause.message} ${cause.reason}`, cause]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cause]) => cause);
}

// The message repeats the causes, in the same order of chance.
const listedCauses = /is invalid: \[.*\]$/s;

// Some messages quote the whole object, with its managedFields.
const quotedObject = /Invalid value: "\{.*\}": /g;

// Identities also stand in labels.
const identity = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

// A line number in the sources of the server.
const schemeName = /in scheme "[^"]*"/g;

function maskNames(text: string, names: Readonly<Record<string, string>>): string {
  const short = text
    .replaceAll(quotedObject, 'Invalid value: "<object>": ')
    .replaceAll(schemeName, 'in scheme')
    .replaceAll(identity, '<uid>')
    .replace(listedCauses, 'is invalid: [<causes>]');
  return Object.entries(names).reduce((masking, [name, mask]) => masking.replaceAll(name, mask), short);
}

/** What a golden file keeps of an answer. */
export function maskedAnswer(answer: Answer, names: Readonly<Record<string, string>> = {}): Loose {
  const { warning } = answer.headers;
  return {
    status: answer.status,
    ...(warning !== undefined && { warning: maskNames(warning, names) }),
    body: answer.body === undefined ? maskNames(answer.text, names) : masked(answer.body, names),
  };
}

/** A resource of legacy discovery without the hash of its storage version, which is private to a server. */
export function withoutVersionHash(resource: Loose): Loose {
  return Object.fromEntries(Object.entries(resource).filter(([key]) => key !== 'storageVersionHash'));
}

import { repeatedHeader } from '../http/api-request.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../registry/admission.ts';
import { badRequest } from '../registry/api-error.ts';

const extraPrefix = 'impersonate-extra-';

/** Who the caller wants to be, as the headers say it; `undefined` when it wants to be itself. */
export function wantedUser({ headers }: Pick<ApiRequest, 'headers'>): UserInfo | undefined {
  const username = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'] ?? '';
  const groups = repeatedHeader(headers['impersonate-group']);
  const extra: Record<string, readonly string[]> = {};
  for (const name in headers) {
    if (!name.startsWith(extraPrefix)) continue;
    extra[decoded(name.slice(extraPrefix.length))] = repeatedHeader(headers[name]);
  }
  const hasExtra = Object.keys(extra).length > 0;
  if (username === '') {
    if (uid === '' && groups.length === 0 && !hasExtra) return undefined;
    throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  }
  return { username, ...(uid === '' ? {} : { uid }), groups, ...(hasExtra ? { extra } : {}) };
}

/** Header names have no case; what is written with percent signs keeps its own. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The server prints the value as Go has it. */
function goUser(uid: string, groups: readonly string[], extra: Readonly<Record<string, readonly string[]>>): string {
  const entries = Object.entries(extra).map(([key, values]) => `${JSON.stringify(key)}:${goTexts(values)}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : goTexts(groups);
  const shownExtra = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}

function goTexts(values: readonly string[]): string {
  return `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
}

// Fills Secrets that ask for a token of a ServiceAccount, and removes them when the account is gone.
import { createKeyedWorker } from '../actors/keyed-worker.ts';
import { ensureChild, text, textMap } from '../kinds/draft-fields.ts';
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import { accountNameKey, accountUidKey, secretTokenType, signSecretToken } from './secret-tokens.ts';
import type { TokenIssuer } from './token-issuer.ts';

export type TokenControllerOptions = {
  readonly issuer: TokenIssuer;
  readonly rootCa: () => string;
  readonly onError?: (error: unknown) => void;
};

const secrets = { group: '', plural: 'secrets' };
const accounts = { group: '', plural: 'serviceaccounts' };
const asksForToken = (secret: StoredObject): boolean => text(secret, 'type') === secretTokenType;
const keyOf = ({ metadata: { namespace = '', name } }: StoredObject): string => `${namespace}/${name}`;
const base64 = (value: string): string => Buffer.from(value).toString('base64');

export function createTokenController(options: TokenControllerOptions): Actor {
  return {
    name: 'serviceaccount-token-controller',
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (key) => tend(context, key, options), options.onError);
      const stops = [
        store.subscribe(secrets, ({ type, object }) => {
          if (type !== 'DELETED' && asksForToken(object)) worker.add(keyOf(object));
        }),
        store.subscribe(accounts, ({ object: { metadata } }) => {
          for (const secret of store.list(secrets, metadata.namespace)) {
            if (asksForToken(secret) && secret.metadata.annotations?.[accountNameKey] === metadata.name) {
              worker.add(keyOf(secret));
            }
          }
        }),
      ];
      store.list(secrets).forEach((secret) => {
        if (asksForToken(secret)) worker.add(keyOf(secret));
      });
      return () => {
        for (const stop of stops) stop();
        worker.stop();
      };
    },
  };
}

async function tend(
  { store, client }: ActorContext,
  key: string,
  { issuer, rootCa }: TokenControllerOptions,
): Promise<undefined> {
  const [namespace = '', name = ''] = key.split('/');
  const secret = store.get(secrets, { namespace, name });
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return;
  const annotations = secret.metadata.annotations ?? {};
  const account = store.get(accounts, { namespace, name: annotations[accountNameKey] ?? '' });
  const uid = annotations[accountUidKey];
  if (account === undefined || (uid !== undefined && uid !== account.metadata.uid)) {
    await client.delete(secrets, { namespace, name }, { uid: secret.metadata.uid });
    return;
  }
  const data = textMap(secret, 'data');
  const wanted = { 'ca.crt': base64(rootCa()), namespace: data['namespace'] ?? base64(namespace) };
  const token = data['token'] ?? base64(signSecretToken(issuer, account, name));
  if (data['token'] === token && data['ca.crt'] === wanted['ca.crt'] && data['namespace'] === wanted.namespace) return;
  await client.change(secrets, { namespace, name }, (draft: Draft) => {
    Object.assign(ensureChild(draft, 'data'), wanted, { token });
    ensureChild(ensureChild(draft, 'metadata'), 'annotations')[accountUidKey] = account.metadata.uid;
  });
}

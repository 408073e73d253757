import type { KubeObject } from '../object.ts';
import type { Change, ChangeListener } from './informer.ts';

export type ChangeFeed<T extends KubeObject> = {
  readonly deliver: (change: Change<T>) => void;
  /** The new listener is first given `present`, then every later change. Returns unsubscribe. */
  readonly subscribe: (listener: ChangeListener<T>, present: readonly T[]) => () => void;
};

/** Hands changes to listeners, in order and at once. A listener that throws is reported and keeps no other from its turn. */
export function createChangeFeed<T extends KubeObject>(onError: (error: unknown) => void): ChangeFeed<T> {
  type Subscription = { readonly listener: ChangeListener<T>; active: boolean };
  // Replaced, never changed: a listener may subscribe another one while a change is being handed out.
  let subscriptions: readonly Subscription[] = [];

  const hand = ({ listener, active }: Subscription, change: Change<T>): void => {
    if (!active) return;
    try {
      listener(change);
    } catch (error) {
      onError(error);
    }
  };

  return {
    deliver: (change) => {
      for (const subscription of subscriptions) hand(subscription, change);
    },
    subscribe: (listener, present) => {
      const subscription: Subscription = { listener, active: true };
      subscriptions = [...subscriptions, subscription];
      for (const object of present) hand(subscription, { type: 'added', object, initial: true });
      return () => {
        subscription.active = false;
        subscriptions = subscriptions.filter((other) => other !== subscription);
      };
    },
  };
}

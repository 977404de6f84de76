import { EventEmitter, once } from 'node:events';
import type { Ports, Store } from '../../src/core/ports/index.js';

/** Holds a call of a port until it is released, so that a test can act in the meantime. */
export type HeldCalls = {
  /** Wraps the service's ports. */
  wrapPorts(ports: Ports): Ports;
  /** From now on, these calls of the marketplace for this shop wait. */
  hold(calls: RegExp, shop_id: number): void;
  holdStore(call: keyof Store['listings']): void;
  /** Resolves once a call waits. */
  waitUntilHeld(): Promise<unknown>;
  /** Releases the held calls, and holds no more. */
  release(): unknown;
};

type Held = (name: PropertyKey, args: readonly unknown[]) => boolean;

const isNeverHeld: Held = () => false;

export function holdCalls(): HeldCalls {
  let isMarketplaceHeld = isNeverHeld;
  let isStoreHeld = isNeverHeld;
  const gate = new EventEmitter();
  const reached = once(gate, 'reached');
  const released = once(gate, 'released');

  async function wait(): Promise<void> {
    gate.emit('reached');
    await released;
  }

  function wrap<Target extends object>(target: Target, isCallHeld: Held): Target {
    return new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          // The same calls, for as long as a job has its claim.
          if (name === 'until') return wrap(Reflect.apply(member, target, args) as object, isCallHeld);
          const call = () => Reflect.apply(member, target, args) as unknown;
          return isCallHeld(name, args) ? wait().then(call) : call();
        };
      },
    });
  }

  return {
    wrapPorts: (ports) => ({
      ...ports,
      marketplace: wrap(ports.marketplace, (...seen) => isMarketplaceHeld(...seen)),
      store: { ...ports.store, listings: wrap(ports.store.listings, (...seen) => isStoreHeld(...seen)) },
    }),
    hold(calls, shop_id) {
      isMarketplaceHeld = (name, [shop]) =>
        calls.test(String(name)) && (shop as { shop_id?: number } | undefined)?.shop_id === shop_id;
    },
    holdStore(call) {
      isStoreHeld = (name) => name === call;
    },
    waitUntilHeld: () => reached,
    release: () => gate.emit('released'),
  };
}

import type { Ports } from '../../src/core/ports/index.js';

/** `before` a call is made, or `after` it has ended, successfully or not. */
type Side = 'before' | 'after';

/**
 * Called at each call of a port, with a name such as `marketplace.uploadImage` or `store.listings.finishJob`.
 * If it throws, the call throws.
 */
export type Watch = (side: Side, call: string, args: readonly unknown[]) => void;

const WATCHED = ['store', 'marketplace', 'media', 'blobs', 'webhook_sender'] as const;

/** The same ports, with their asynchronous calls observed. */
export function watchPorts(ports: Ports, watch: Watch): Ports {
  const watched = WATCHED.map((name) => [name, watchCalls(ports[name], name, watch)] as const);
  return { ...ports, ...Object.fromEntries(watched) };
}

function watchCalls<Target extends object>(target: Target, path: string, watch: Watch): Target {
  const members = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get(_, name) {
      if (!members.has(name)) members.set(name, watchMember(target, name as keyof Target, path, watch));
      return members.get(name);
    },
  });
}

function watchMember<Target extends object>(
  target: Target,
  name: keyof Target,
  path: string,
  watch: Watch,
): unknown {
  const member = target[name];
  const call = `${path}.${String(name)}`;
  if (typeof member === 'object' && member !== null) return watchCalls(member, call, watch);
  if (typeof member !== 'function') return member;
  return (...args: unknown[]) => {
    if (SYNCHRONOUS.has(call)) return Reflect.apply(member, target, args) as unknown;
    // The same calls, for as long as a job has its claim.
    if (call === 'marketplace.until') {
      return watchCalls(Reflect.apply(member, target, args) as object, path, watch);
    }
    return (async () => {
      watch('before', call, args);
      try {
        return (await Reflect.apply(member, target, args)) as unknown;
      } finally {
        watch('after', call, args);
      }
    })();
  };
}

const SYNCHRONOUS: ReadonlySet<string> = new Set([
  'marketplace.findTime',
  'marketplace.getClockSkew',
  'marketplace.getConsents',
  'media.checkUrl',
  'media.getFigures',
  'webhook_sender.createSecret',
]);

import type { Marketplace } from '../../../ports/index.js';
import type { ListingPoint, StepSide, WatchedStep } from '../../points.js';

/** The state that publishing a listing and changing one have in common. */
type Watchable = { readonly ports: { readonly marketplace: Marketplace }; save(): Promise<void> };

/** The same work as one step sees it where a test stops at the points: its calls and its commits pass them. */
export function withPoints<Work extends Watchable>(
  work: Work,
  step: WatchedStep,
  reach: (point: ListingPoint) => void,
): Work {
  const { marketplace } = work.ports;
  const watched = new Proxy(marketplace, {
    get: (target, name: keyof Marketplace) =>
      name === 'findTime' || name === 'getClockSkew'
        ? target[name]
        : watch(target[name] as Call, 'before_call', 'after_call'),
  });
  const own: Watchable = {
    ports: { ...work.ports, marketplace: watched },
    save: watch(() => work.save(), 'before_commit', 'after_commit'),
  };
  return new Proxy(work, {
    get: (target, name: keyof Watchable) => own[name] ?? target[name],
  });

  function watch<Args extends unknown[], T>(
    call: (...args: Args) => Promise<T>,
    before: StepSide,
    after: StepSide,
  ): (...args: Args) => Promise<T> {
    return async (...args) => {
      reach(`${step}.${before}`);
      try {
        return await call(...args);
      } finally {
        reach(`${step}.${after}`);
      }
    };
  }
}

type Call = (...args: unknown[]) => Promise<unknown>;

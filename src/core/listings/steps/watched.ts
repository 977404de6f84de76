import type { Marketplace } from '../../ports/index.js';
import type { ListingPoint, StepSide } from '../points.js';
import type { StepName } from '../progress.js';
import type { Publishing } from './step.js';

/** The same publishing as one step sees it when somebody waits at the points: its calls and its commits pass them. */
export function withPoints(
  publishing: Publishing,
  step: StepName,
  reach: (point: ListingPoint) => void,
): Publishing {
  const { marketplace } = publishing.ports;
  const watched = new Proxy(marketplace, {
    get: (target, name: keyof Marketplace) =>
      name === 'findTime' ? target[name] : watch(target[name] as Call, 'before_call', 'after_call'),
  });
  const own: Partial<Publishing> = {
    ports: { ...publishing.ports, marketplace: watched },
    save: watch(publishing.save, 'before_commit', 'after_commit'),
  };
  return new Proxy(publishing, {
    get: (target, name: keyof Publishing) => own[name] ?? target[name],
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

import type { MarketplaceFigures } from '../../core/ports/store/figures.js';

/** Every call that left this process, counted by operation and by the status of its answer, or `lost`. */
export type CallCount = {
  add(operation: string, outcome: string): void;
  list(): MarketplaceFigures['calls'];
};

export function createCallCount(): CallCount {
  const counts = new Map<string, Map<string, number>>();
  return {
    add(operation, outcome) {
      const outcomes = counts.get(operation) ?? new Map<string, number>();
      counts.set(operation, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
    },
    list: () =>
      [...counts].flatMap(([operation, outcomes]) =>
        [...outcomes].map(([outcome, count]) => ({ operation, outcome, count })),
      ),
  };
}

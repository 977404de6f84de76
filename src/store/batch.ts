/** Answers in the order of the items. */
type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** What is asked for within a moment, done together: one transaction waits for the disk for all. */
export type Batch<Item, Result> = {
  ask(item: Item): Promise<Result>;
  /** What has been asked for so far is done as soon as a shorter while is over. */
  hurry(wait: (work: () => void) => void): void;
  /**
   * What has been asked for so far is done now, and something else with it, in one go. Rejects when that fails; what was asked for
   * is then tried without it.
   */
  doBeside<Value>(
    run: (items: readonly Item[]) => Promise<{ results: readonly Result[]; value: Value }>,
  ): Promise<Value>;
};

/**
 * Collects what is asked for within a while, and while the batch before is worked on. When it fails together each is tried alone,
 * so that each fails for its own reason.
 * @param wait calls back when the while is over
 */
export function createBatch<Item, Result>(
  run: Run<Item, Result>,
  wait: (work: () => void) => void,
): Batch<Item, Result> {
  type Asked = { item: Item; resolve: (result: Result) => void; reject: (cause: unknown) => void };
  let asked: Asked[] = [];
  let is_working = false;
  let is_waiting = false;
  let taken = 0;

  function takeAll(): Asked[] {
    is_waiting = false;
    taken += 1;
    const batch = asked;
    asked = [];
    return batch;
  }

  function settle(batch: readonly Asked[], results: readonly Result[]): void {
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined) reject(new Error('a batch left something out'));
      else resolve(result);
    });
  }

  async function runAll(batch: readonly Asked[]): Promise<void> {
    try {
      settle(batch, await run(batch.map(({ item }) => item)));
    } catch (cause) {
      if (batch.length === 1) batch[0]?.reject(cause);
      else await runEach(batch);
    }
  }

  async function runEach(batch: readonly Asked[]): Promise<void> {
    for (const one of batch) await runAll([one]);
  }

  async function work(): Promise<void> {
    is_working = true;
    await runAll(takeAll());
    is_working = false;
    begin();
  }

  function begin(): void {
    if (asked.length === 0 || is_working || is_waiting) return;
    is_waiting = true;
    workAfter(wait);
  }

  function workAfter(waitSo: (work: () => void) => void): void {
    const before = taken;
    waitSo(() => {
      // Else what it waited for was done after a shorter while, or beside something else.
      if (taken === before) void work();
    });
  }

  return {
    ask: (item) =>
      new Promise((resolve, reject) => {
        asked.push({ item, resolve, reject });
        begin();
      }),
    hurry(waitLess) {
      if (is_waiting) workAfter(waitLess);
    },
    async doBeside(runBeside) {
      const batch = takeAll();
      try {
        const { results, value } = await runBeside(batch.map(({ item }) => item));
        settle(batch, results);
        return value;
      } catch (cause) {
        await runEach(batch);
        throw cause;
      }
    },
  };
}

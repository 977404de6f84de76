/**
 * Collects what is asked for within a while, and while the batch before is worked on, to be done together: one transaction
 * waits for the disk for all. When that fails each is tried alone, so that each fails for its own reason.
 * @param wait calls back when the while is over
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Result>>,
  wait: (work: () => void) => void,
): (item: Item) => Promise<Result> {
  type Asked = { item: Item; resolve: (result: Result) => void; reject: (cause: unknown) => void };
  let asked: Asked[] = [];
  let is_working = false;

  async function runAll(batch: readonly Asked[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const { item, resolve, reject } of batch) {
        const result = results.get(item);
        if (result === undefined) reject(new Error('a batch left something out'));
        else resolve(result);
      }
    } catch (cause) {
      if (batch.length === 1) batch[0]?.reject(cause);
      else for (const one of batch) await runAll([one]);
    }
  }

  async function work(): Promise<void> {
    const batch = asked;
    asked = [];
    await runAll(batch);
    is_working = asked.length > 0;
    if (is_working) wait(() => void work());
  }

  return (item) =>
    new Promise((resolve, reject) => {
      asked.push({ item, resolve, reject });
      if (is_working) return;
      is_working = true;
      wait(() => void work());
    });
}

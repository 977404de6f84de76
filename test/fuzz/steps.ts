import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';

/**
 * Counts the work of the service in steps: how often each function, branch and loop in it was entered. Time
 * is not included.
 */
export type StepCounter = {
  /** The steps of our own code while `run` ran. */
  count(run: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
};

const OURS = [`${sep}src${sep}`, `${sep}schemas${sep}`, `${sep}tools${sep}`];

/** By V8's coverage counters: exact, for every block. */
export async function openStepCounter(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // Reading resets the counters.
  const read = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => OURS.some((folder) => url.includes(folder)) && !url.includes('node_modules'))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };
  return {
    async count(run) {
      await read();
      await run();
      return read();
    },
    async close() {
      await session.post('Profiler.disable');
      session.disconnect();
    },
  };
}

import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';

/** Counts what the service does, in steps: how often each function and each branch or loop in it was entered. Time is not in it. */
export type StepCounter = {
  /** The steps of our own code while `run` went on. */
  count(run: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
};

const OURS = [`${sep}src${sep}`, `${sep}schemas${sep}`, `${sep}tools${sep}`];

/** By the counters that V8 keeps for coverage: exact ones, in every block. */
export async function openStepCounter(): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  // What is read is counted anew from then on.
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

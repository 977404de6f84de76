import { availableParallelism, totalmem } from 'node:os';

/** The memory of a worker at the end of npm test, rounded up: it keeps its modules and heap between files. */
const WORKER_BYTES = 1.5e9;

/** More than the cores, since many tests wait: for child processes, for the limits of the sandbox. */
export function countWorkers(most: number): number {
  return Math.max(1, Math.min(most, 3 * availableParallelism(), Math.floor(totalmem() / WORKER_BYTES)));
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Runs in parallel with the test, on its own thread: replaces a folder with a link to another one and back, in
 * turn.
 */
const SWAP = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const { folder, target, is_over } = workerData;
  const aside = folder + '.aside';
  parentPort.postMessage('swapping');
  let swaps = 0;
  for (; Atomics.load(is_over, 0) === 0; swaps += 1) {
    renameSync(folder, aside);
    symlinkSync(target, folder);
    unlinkSync(folder);
    renameSync(aside, folder);
  }
  parentPort.postMessage(swaps);
`;

/** Swaps until it is stopped; then returns how often it did. The folder is in its place again. */
export async function startSwapping(folder: string, target: string): Promise<{ stop(): Promise<number> }> {
  const is_over = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SWAP, { eval: true, workerData: { folder, target, is_over } });
  await once(worker, 'message');
  return {
    async stop() {
      Atomics.store(is_over, 0, 1);
      const [swaps] = (await once(worker, 'message')) as [number];
      await worker.terminate();
      return swaps;
    },
  };
}

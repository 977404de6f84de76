import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const COLLECTION_MS = 500;

/** The resources of a process at one moment. */
export type Sample = { memory_mb: number; sockets: number };

/**
 * Measures a process regularly, after it has collected its garbage on SIGUSR2. Without /proc, there are no
 * samples.
 */
export function startGauge(pid: number, interval_ms: number): { samples: Sample[]; stop(): void } {
  const samples: Sample[] = [];
  const timer = setInterval(() => {
    void look(pid).then((sample) => sample && samples.push(sample));
  }, interval_ms);
  return { samples, stop: () => clearInterval(timer) };
}

async function look(pid: number): Promise<Sample | undefined> {
  try {
    process.kill(pid, 'SIGUSR2');
    await delay(COLLECTION_MS);
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const memory_kb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    const names = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(
      names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
    );
    const sockets = targets.filter((target) => target.startsWith('socket:')).length;
    return { memory_mb: memory_kb / 1024, sockets };
  } catch {
    return undefined;
  }
}

export function getMedian(numbers: readonly number[]): number {
  return getShare(numbers, 0.5);
}

/** The value that this share of the numbers does not exceed. */
export function getShare(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

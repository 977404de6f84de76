import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How long a server's event loop is blocked, reported through a file rather than its answers. */
export type Holds = {
  /** The options to start the server with. */
  environment: Record<string, string>;
  /** The longest since then, in milliseconds; 0 if none was long enough to record. */
  findLongest(since_ms: number): Promise<number>;
};

export function watchHolds(data_dir: string): Holds {
  const file = join(data_dir, 'holds');
  const watcher = pathToFileURL(join(import.meta.dirname, 'holds.mjs')).href;
  return {
    environment: { NODE_OPTIONS: `--import=${watcher}`, HOLDS_FILE: file },
    async findLongest(since_ms) {
      const text = await readFile(file, 'utf8').catch(() => '');
      const lines = text.split('\n').map((line) => line.split(' ').map(Number));
      return lines.reduce(
        (longest, [at_ms = 0, held_ms = 0]) => (at_ms >= since_ms ? Math.max(longest, held_ms) : longest),
        0,
      );
    },
  };
}

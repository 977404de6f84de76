import type { Progress } from '../core/operation.js';

/** What the command is for: to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What a person may want to know meanwhile: to stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** A bar on a terminal, a line each where stderr is a file. */
export function createProgressBar(): { show: (progress: Progress) => void; end: () => void } {
  const { isTTY, columns } = process.stderr;
  let isShown = false;
  return {
    show({ done, total, message }) {
      if (!isTTY) {
        say(`${done}/${total} ${message}`);
        return;
      }
      const filled = total > 0 ? Math.min(BAR, Math.round((done / total) * BAR)) : 0;
      const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${done}/${total} ${message}`;
      process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}`);
      isShown = true;
    },
    end() {
      if (isShown) process.stderr.write('\n');
    },
  };
}

const BAR = 24;

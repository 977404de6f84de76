import { stripVTControlCharacters } from 'node:util';
import type { Progress } from '../core/ports/index.js';
import { toVisibleJson, toVisibleText } from '../core/text/visible_text.js';

/** Writes the result of a command to stdout. */
export function print(text: string): void {
  process.stdout.write(`${toTerminalText(text)}\n`);
}

/** Writes a message for the person at the terminal to stderr, so that stdout contains only the result. */
export function say(text: string): void {
  process.stderr.write(`${toTerminalText(text)}\n`);
}

/**
 * Writes JSON and escapes control characters that JSON.stringify leaves in and a terminal would obey; it
 * parses to the same value.
 */
export function printJson(value: unknown): void {
  process.stdout.write(`${toVisibleJson(JSON.stringify(value, undefined, 2))}\n`);
}

/**
 * Text that is safe to show on a terminal. Shop names and texts from the marketplace may contain escape
 * sequences, or characters that hide a part of the line.
 */
export function toTerminalText(text: string): string {
  return toVisibleText(stripVTControlCharacters(text));
}

/** A progress bar on a terminal; one line per step if stderr is a file. */
export function createProgressBar(): { show: (progress: Progress) => void; end: () => void } {
  const { isTTY, columns } = process.stderr;
  let isShown = false;
  return {
    show({ done, total, message }) {
      if (!isTTY) {
        say(`${done}/${total} ${message}`);
        return;
      }
      const filled = total > 0 ? Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH)) : 0;
      const shown = toTerminalText(message);
      const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${total} ${shown}`;
      process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}`);
      isShown = true;
    },
    end() {
      if (isShown) process.stderr.write('\n');
    },
  };
}

const BAR_WIDTH = 24;

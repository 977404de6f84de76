import { stripVTControlCharacters } from 'node:util';
import type { Progress } from '../core/operations/call.js';
import { toVisibleJson, toVisibleText } from '../core/text/visible_text.js';

/** What the command is for: to stdout. */
export function print(text: string): void {
  process.stdout.write(`${toTerminalText(text)}\n`);
}

/** What a person may want to know meanwhile: to stderr. */
export function say(text: string): void {
  process.stderr.write(`${toTerminalText(text)}\n`);
}

/** What JSON.stringify leaves as it is and a terminal obeys stands as an escape, so that the value is the same. */
export function printJson(value: unknown): void {
  process.stdout.write(`${toVisibleJson(JSON.stringify(value, undefined, 2))}\n`);
}

/** Names of shops and words of the marketplace may hold what a terminal obeys, or what hides a part of the line. */
export function toTerminalText(text: string): string {
  return toVisibleText(stripVTControlCharacters(text));
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
      const told = toTerminalText(message);
      const line = `[${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}] ${done}/${total} ${told}`;
      process.stderr.write(`\r\u001b[K${line.slice(0, columns - 1)}`);
      isShown = true;
    },
    end() {
      if (isShown) process.stderr.write('\n');
    },
  };
}

const BAR = 24;

/*
 * Loaded into the server before anything else (--import): records each time its event loop was blocked, so
 * that another process can read it while the server cannot answer. Each line has the time it ended and its
 * milliseconds.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;
/** Shorter blocks may come from the timer itself. */
const LEAST_MS = 10;
const file = process.env['HOLDS_FILE'];

if (isMainThread && file !== undefined) {
  let last_ms = performance.now();
  setInterval(() => {
    const now_ms = performance.now();
    const held_ms = now_ms - last_ms - EVERY_MS;
    last_ms = now_ms;
    if (held_ms >= LEAST_MS) appendFileSync(file, `${Date.now()} ${Math.round(held_ms)}\n`);
  }, EVERY_MS).unref();
}

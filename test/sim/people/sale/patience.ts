import type { Selling } from './selling.js';

const LEAST_PATIENCE_MS = 300;
const MOST_PATIENCE_MS = 40_000;

/** How long the person waits before giving up; undefined if they never give up. */
export function drawPatience({ chance }: Selling, planned: { gives_up?: boolean }): number | undefined {
  return planned.gives_up === true ? chance.between(LEAST_PATIENCE_MS, MOST_PATIENCE_MS) : undefined;
}

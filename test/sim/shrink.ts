import type { Lived } from './live.js';
import type { Plan } from './plan.js';
import { leaveOut, listParts } from './plan/leave_out.js';

/** The most worlds that are tried. */
const MOST_TRIES = 80;

/** Leaves out what the finding does not need: products, troubles, deeds and hours, one after another. */
export async function shrink(
  plan: Plan,
  lived: Lived,
  run: (plan: Plan) => Promise<Lived>,
): Promise<{ plan: Plan; lived: Lived; without: string[] }> {
  const wanted = toKind(lived.found[0]);
  let best = { plan, lived, without: [] as string[] };
  let tries = 0;
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const part of listParts(best.plan)) {
      if (tries >= MOST_TRIES) return best;
      tries += 1;
      const smaller = leaveOut(plan, [...best.without, part]);
      const found = await run(smaller).catch(() => undefined);
      if (!found?.found.some((what) => toKind(what) === wanted)) continue;
      best = { plan: smaller, lived: found, without: [...best.without, part] };
      hasChanged = true;
    }
  }
  return best;
}

/** The sentence without its numbers, which change with the parts left out. */
function toKind(found: string | undefined): string {
  return (found ?? '')
    .replaceAll(/[\d.]+/g, '#')
    .replaceAll(/\b[\w-]{20,}\b/g, '#')
    .slice(0, 60);
}

import { NEVER_MS, type Plan } from '../plan.js';

/** How long a smaller world may have to run. */
const SHORTER_HOURS = [1, 4, 12, 48];

const LISTS = [
  'sales',
  'collections',
  'orders',
  'faults',
  'outages',
  'crashes',
  'sleeps',
  'expiries',
  'rotations',
] as const;
const WITH_DEEDS = ['sales', 'collections'] as const;
type WithDeeds = (typeof WITH_DEEDS)[number];

/** All parts that can be left out of a plan, by name; parts left out already are null and not listed. */
export function listParts(plan: Plan): string[] {
  const lists = LISTS.flatMap((list) => plan[list].map((_, index) => `${list}.${index}`));
  const deeds = WITH_DEEDS.flatMap((list) =>
    plan[list].flatMap((one, index) => one.deeds.map((_, deed) => `${list}.${index}.deeds.${deed}`)),
  );
  const machines = plan.machines.length > 1 ? [`machines.${plan.machines.length - 1}`] : [];
  const hours = SHORTER_HOURS.filter((shorter) => shorter < plan.hours).map((shorter) => `hours.${shorter}`);
  return [...hours, ...machines, ...lists, ...deeds].filter((part) => !isOut(plan, part));
}

/** Keeps the positions of the remaining parts, so that each has the same name in every smaller plan. */
export function leaveOut(plan: Plan, parts: readonly string[]): Plan {
  const smaller = structuredClone(plan);
  for (const part of parts) {
    const [list, index, , deed] = part.split('.');
    const at = Number(index);
    if (list === 'hours') smaller.hours = Math.min(smaller.hours, at);
    else if (list === 'machines') smaller.machines.splice(at, 1);
    else if (deed !== undefined) {
      const planned = smaller[list as WithDeeds][at]?.deeds[Number(deed)];
      // Its pause stays.
      if (planned) Object.assign(planned, { kind: 'none' });
    } else {
      const found = smaller[list as (typeof LISTS)[number]][at];
      if (typeof found === 'object') found.at_ms = NEVER_MS;
      else smaller.expiries[at] = NEVER_MS;
    }
  }
  return smaller;
}

function isOut(plan: Plan, part: string): boolean {
  const [list, index, , deed] = part.split('.');
  const at = Number(index);
  if (list === 'machines' || list === 'hours') return false;
  const found = plan[list as (typeof LISTS)[number]][at];
  if (deed !== undefined) {
    const one = plan[list as WithDeeds][at];
    return one === undefined || one.at_ms === NEVER_MS || one.deeds[Number(deed)]?.kind === 'none';
  }
  return (typeof found === 'object' ? found.at_ms : found) === NEVER_MS;
}

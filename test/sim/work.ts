import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { live, rejections, type Lived } from './live.js';
import type { Plan } from './plan.js';
import { buildPlan } from './plan/build.js';
import { leaveOut } from './plan/leave_out.js';
import { shrink } from './shrink.js';
import { isOfCrash, watchCommits } from './world/machine.js';
import { buildTemplate } from './world/template.js';

/** The task of a process, as given by run.mjs: all seeds, each separately, with a line of JSON for each. */
export type Work = {
  seeds: number[];
  hours?: number;
  /** Parts of the plan that are left out, named as in shrinking. */
  without?: string[];
  /** Runs each seed twice; both journals must be identical. */
  is_twice?: boolean;
  is_traced?: boolean;
  /** If an oracle finds something, searches for a smaller plan in which it still does. */
  is_shrunk?: boolean;
  /** The planted fault that is active. */
  planted?: string;
};

export type Line = Lived & { cpu_ms: number; without: string[]; planted?: string; plan?: Plan };

export async function work(told: string): Promise<void> {
  const {
    seeds,
    hours,
    without = [],
    is_twice,
    is_traced = false,
    is_shrunk,
    planted,
  } = JSON.parse(told) as Work;
  (globalThis as { PLANTED?: string | undefined }).PLANTED = planted;
  const memory = '/dev/shm';
  const root = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'sim-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  process.on('unhandledRejection', (reason) => {
    if (!isOfCrash(reason)) rejections.push(reason);
  });
  watchCommits();
  const template = await buildTemplate(join(root, 'template'));
  const run = (plan: Plan): Promise<Lived> => live(plan, template, join(root, 'world'), is_traced);
  for (const seed of seeds) {
    const began = process.cpuUsage();
    const plan = leaveOut(buildPlan(seed, hours), without);
    const lived = await run(plan);
    const { user, system } = process.cpuUsage(began);
    if (is_twice === true) {
      const { hash } = await run(plan);
      if (hash !== lived.hash)
        lived.found.push(`the same seed lived twice has two hashes: ${lived.hash} and ${hash}`);
    }
    const line: Line = { ...lived, without, cpu_ms: (user + system) / 1000 };
    if (is_traced) line.plan = plan;
    if (is_shrunk === true && lived.found.length > 0) {
      const smallest = await shrink(plan, lived, run);
      const { plan: smaller } = smallest;
      Object.assign(line, smallest.lived, { without: [...without, ...smallest.without], plan: smaller });
    }
    if (planted !== undefined) line.planted = planted;
    await write(`${JSON.stringify(line)}\n`);
  }
}

/**
 * Resolves once all of it is in the pipe: the process ends after the last line, which would cut off a partial
 * write.
 */
function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

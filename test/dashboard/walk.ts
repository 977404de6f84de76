import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { updateTable } from '../readme_table.mjs';
import { PHONE, type View } from './browser.js';

type Device = 'desktop' | 'phone';
type Walked = { clicks: number; seconds: Partial<Record<Device, number>> };

/** By job; for several views of a device, the last. */
const walked = new Map<string, Walked>();

/** One job of a seller in a window, whose clicks and seconds are recorded. */
export type Walk = {
  click(role: 'button' | 'checkbox' | 'link' | 'radio', name: string | RegExp): Promise<void>;
  /** Chooses from a list, which takes two clicks. @param place position among the lists with this label */
  choose(label: string, option: string, place?: number): Promise<void>;
  /** Ends the job. Returns its clicks. */
  end(): number;
};

/** The job starts on the open page. */
export function startWalk(page: Page, job: string, { width }: View): Walk {
  let clicks = 0;
  const start_ms = performance.now();
  return {
    async click(role, name) {
      clicks += 1;
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    },
    async choose(label, option, place = 0) {
      clicks += 2;
      await page.getByLabel(label, { exact: true }).nth(place).selectOption({ label: option });
    },
    end() {
      const seconds = (performance.now() - start_ms) / 1_000;
      const device = width === PHONE ? 'phone' : 'desktop';
      walked.set(job, { clicks, seconds: { ...walked.get(job)?.seconds, [device]: seconds } });
      return clicks;
    },
  };
}

/** Writes the recorded jobs into the table of README.md if WALKS is `write`. */
export async function writeWalks(): Promise<void> {
  if (process.env['WALKS'] !== 'write') return;
  const rows = [...walked].map(([job, { clicks, seconds }]) => [
    job,
    `${clicks}`,
    ...(['desktop', 'phone'] as const).map((device) => seconds[device]?.toFixed(1) ?? ''),
  ]);
  const readme = fileURLToPath(new URL('README.md', import.meta.url));
  await updateTable(readme, 'jobs', ['Job', 'Clicks', 'Seconds, desktop', 'Seconds, phone'], rows);
}

import { pathToFileURL } from 'node:url';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/sources.js';
import {
  DESKTOP,
  hasBrowser,
  listAxeFindings,
  openBrowser,
  openWindow,
  PHONE,
} from '../dashboard/browser.js';

/** The packaged documentation, opened from its folder. */
const FOLDER = join(ROOT, 'dist', 'src', 'docs');
/** The narrowest width of WCAG's reflow criterion. */
const NARROWEST = 320;

describe.skipIf(!hasBrowser)('the packaged documentation', () => {
  let browser: Browser;
  let urls: string[];

  beforeAll(async () => {
    browser = await openBrowser();
    const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.html'));
    urls = files.map((name) => pathToFileURL(join(FOLDER, name)).href);
  });
  afterAll(() => browser?.close());

  const open = (width: number, scheme: 'light' | 'dark') =>
    openWindow(browser, pathToFileURL(FOLDER).href, { width, scheme, has_scripts: true });

  it.each([NARROWEST, PHONE, DESKTOP])(
    'fits a window of %i pixels with everything unfolded',
    async (width) => {
      const { context, page, problems } = await open(width, 'light');
      for (const url of urls) {
        await page.goto(url);
        const content_width = await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
          return document.documentElement.scrollWidth;
        });
        expect([url, content_width]).toEqual([url, width]);
      }
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  it.each([
    ['light', 'all'],
    ['dark', 'contrast'],
  ] as const)('has no axe findings in %s mode (rules: %s)', async (scheme, rules) => {
    const { context, page } = await open(DESKTOP, scheme);
    for (const url of urls) {
      await page.goto(url);
      expect([url, ...(await listAxeFindings(page, rules))]).toEqual([url]);
    }
    await context.close();
  });

  it('opens at the code that an error points to', async () => {
    const { context, page } = await openWindow(browser, pathToFileURL(FOLDER).href, {
      width: PHONE,
      scheme: 'light',
      has_scripts: false,
    });
    await page.goto(`${pathToFileURL(join(FOLDER, 'index.html')).href}#IDEMPOTENCY_KEY_REUSED`);
    await page.locator('#IDEMPOTENCY_KEY_REUSED:target').waitFor();
    expect(await page.locator(':target').textContent()).toContain('30 days');
    await context.close();
  });
});

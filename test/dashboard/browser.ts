import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));

/** If false, browser tests are skipped, and say so. */
export const hasBrowser = CHROMIUM !== undefined;
if (!hasBrowser) process.stderr.write('No Chromium is installed here: the tests in a browser did not run.\n');

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export type View = { width: number; scheme: 'light' | 'dark'; has_scripts: boolean };

export const PHONE = 390;
export const DESKTOP = 1280;

/** The views in which each task is done. */
export const VIEWS: [string, View][] = [
  ['on a desktop', { width: DESKTOP, scheme: 'light', has_scripts: true }],
  ['on a phone', { width: PHONE, scheme: 'dark', has_scripts: true }],
  ['on a desktop without scripts', { width: DESKTOP, scheme: 'dark', has_scripts: false }],
  ['on a phone without scripts', { width: PHONE, scheme: 'light', has_scripts: false }],
];

/** A person's window, with the errors that occurred in it. */
export type Window = { context: BrowserContext; page: Page; problems: string[] };

export async function openWindow(
  browser: Browser,
  base_url: string,
  { width, scheme, has_scripts }: View,
): Promise<Window> {
  const context = await browser.newContext({
    baseURL: base_url,
    colorScheme: scheme,
    javaScriptEnabled: has_scripts,
    viewport: { width, height: 850 },
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  // A refused script or style is an error on the console; so is a response of 400 or above that a page loads.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, page, problems };
}

/** With the one-time link that `listing-service sign-in` prints. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Open the dashboard' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
}

type Axe = { run(options: RunOptions): Promise<AxeResults> };
const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * The problems that axe-core finds on the page by the rules of WCAG 2.2 AA and good practice, one per line; with
 * `contrast`, only by the rules that depend on the color scheme.
 */
export async function listAxeFindings(page: Page, rules: 'all' | 'contrast' = 'all'): Promise<string[]> {
  await page.evaluate(await readFile(AXE_FILE, 'utf8'));
  // Contrast below a sticky bar cannot be determined.
  await page.locator('.editor-end, .selection').evaluateAll((bars) => {
    for (const bar of bars) bar.style.position = 'static';
  });
  const options: RunOptions = {
    // Otherwise axe also describes and returns every element that passes a rule.
    resultTypes: ['violations', 'incomplete'],
    ...(rules === 'contrast' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  const { violations, incomplete } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: Axe }).axe.run(given),
    options,
  );
  const contrast = incomplete.filter(({ id }) => id === 'color-contrast');
  return [...violations, ...contrast].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkBundle } from '../../.ci/walk_bundle.mjs';
import { buildEnvironment, CLI } from '../surfaces/faces.js';
import { hasBrowser, openBrowser } from './browser.js';

describe.skipIf(!hasBrowser)('a seller with the bundle and without a terminal', () => {
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await openBrowser();
  });
  afterAll(() => chromium?.close());

  it.each([
    ['comes back from the marketplace', 'returns'],
    ['pastes the address because another program has the port', 'pasted'],
  ] as const)('connects a shop and publishes: %s', async (_name, way) => {
    const { DATA_DIR: _folder, PORT: _port, ...env } = buildEnvironment('');
    const start = { command: process.execPath, args: [CLI, 'stdio', '--bundle'], env };
    const seconds = await walkBundle({ start, chromium, cli: CLI, way });
    process.stdout.write(`The way with the bundle (${way}) took ${seconds} s.\n`);
    expect(seconds).toBeGreaterThan(0);
  });
});

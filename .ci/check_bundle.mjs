// Builds the bundle for Claude Desktop, unpacks it, and starts it exactly as its manifest says: with a
// supported Node, and with two unsupported ones, which must be reported in one sentence. If Chromium is
// installed, a seller then walks from the sandbox to an active listing in a real shop.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { checkSbom } from './check_sbom.mjs';
import { saveFirstDraft } from './first_draft.mjs';
import { MCPB, borrow, root, run } from './package.mjs';
import { walkBundle } from './walk_bundle.mjs';

/** Claude Desktop comes with this version; the service itself also runs on older ones. */
const NODE = 'node@24';
const OLD_NODE = 'node@20';

const folder = mkdtempSync(join(tmpdir(), 'listing-bundle-'));

/** In a browser, if there is one. */
async function walk(start, cli) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
  if (executablePath === undefined) {
    process.stderr.write('No Chromium is installed here: nobody connected a shop in a browser.\n');
    return;
  }
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox'] });
  try {
    for (const way of ['returns', 'pasted']) {
      const seconds = await walkBundle({ start, chromium: browser, cli, way });
      process.stdout.write(`from the first start to a live listing (${way}): ${seconds} s\n`);
    }
  } finally {
    await browser.close();
  }
}

try {
  const file = join(folder, 'listing-service.mcpb');
  run(process.execPath, [join(root, '.ci', 'mcpb.mjs'), file], root);

  const packages = borrow(MCPB, folder);
  const extension = join(folder, 'extension');
  run(join(packages, '.bin', 'mcpb'), ['unpack', file, extension], folder);
  checkSbom(extension);
  const manifest = JSON.parse(readFileSync(join(extension, 'manifest.json'), 'utf8'));
  const mcpb = pathToFileURL(join(packages, '@anthropic-ai', 'mcpb', 'dist', 'index.js'));
  const { getMcpConfigForManifest } = await import(mcpb.href);

  // The service opens a page in the browser, which nobody sees here.
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
  }

  /** What Claude Desktop would start, with this Node first in its path. */
  const buildStart = async (node_modules, user_config) => {
    const { command, args, env } = await getMcpConfigForManifest({
      manifest,
      extensionPath: extension,
      systemDirs: {},
      userConfig: user_config,
      pathSeparator: '/',
    });
    const path = [programs, join(node_modules, 'node', 'bin'), process.env.PATH].join(delimiter);
    return { command, args, env: { PATH: path, HOME: folder, LOG_LEVEL: 'warn', ...env }, cwd: folder };
  };
  const listed = manifest.tools.map(({ name }) => name).sort();

  const node = borrow(NODE, folder);
  const tools = await saveFirstDraft(await buildStart(node, { data_dir: join(folder, 'data') }));
  assert.deepEqual(tools.toSorted(), listed, 'the manifest lists the tools that there are');

  const looking = await buildStart(node, { data_dir: join(folder, 'looking'), read_only: true });
  await assert.rejects(saveFirstDraft(looking), /runs read-only/, 'the form reaches the service');

  await walk(await buildStart(node, {}), join(extension, manifest.server.entry_point));

  await assert.rejects(
    saveFirstDraft(await buildStart(borrow(OLD_NODE, folder), { data_dir: join(folder, 'old') })),
    /The SQLite addon of this copy \(better-sqlite3 [\d.]+\) needs Node 22 or later, and this is Node 20/,
  );

  const addons = join(extension, 'node_modules', 'better-sqlite3-13', 'prebuilds');
  renameSync(addons, `${addons}-of-another-computer`);
  await assert.rejects(
    saveFirstDraft(await buildStart(node, { data_dir: join(folder, 'without') })),
    /The SQLite addon of this copy \(better-sqlite3 [\d.]+\) does not load in Node 24/,
  );
  process.stdout.write('the bundle runs as its manifest says, and says so where it cannot\n');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

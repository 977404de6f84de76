// Packs, and starts the package as the README says: with npx, in an empty folder, from an MCP client.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { checkSbom } from './check_sbom.mjs';
import { saveFirstDraft } from './first_draft.mjs';
import { pack, root, run } from './package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'listing-package-'));

try {
  const tarball = pack(folder);
  run('tar', ['-xzf', tarball], folder);
  checkSbom(join(folder, 'package'));
  // npx installs into npm's cache: a separate cache is deleted with the folder. Downloads are shared.
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const downloads = join(run('npm', ['config', 'get', 'cache'], root).trim(), '_cacache');
  symlinkSync(downloads, join(cache, '_cacache'));
  const cwd = join(folder, 'empty');
  mkdirSync(cwd);

  const env = {
    ...process.env,
    npm_config_cache: cache,
    // A dependency that requires another Node than ours is an error, not only a warning.
    npm_config_engine_strict: 'true',
    // For computers that cannot download a prebuilt addon: it runs only briefly, and compiling an optimized
    // one takes minutes.
    CFLAGS: '-O0',
    CXXFLAGS: '-O0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
  };
  const args = ['-y', '--package', tarball, 'listing-service', 'stdio'];
  const tools = await saveFirstDraft({ command: 'npx', args, env, cwd });
  process.stdout.write(`${basename(tarball)} starts by npx and offers ${tools.length} tools\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

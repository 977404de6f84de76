// Builds dist from nothing: compiles, copies what is not code, makes the packaged documentation.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

// `prepare` also runs where only the production packages are: what is built already stays, then.
if (process.argv.includes('--if-possible') && !existsSync(compiler)) process.exit(0);

rmSync(dist, { recursive: true, force: true });
const compile = (project, folder) => {
  const args = [compiler, '-p', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
};
compile(root, dist);
// What runs in browsers knows other types.
const scripts = join('src', 'pages', 'client');
compile(join(root, scripts), join(dist, scripts));
cpSync(join(root, 'src'), join(dist, 'src'), {
  recursive: true,
  filter: (path) => !/\.tsx?$|tsconfig\.json$/.test(path),
});
chmodSync(join(dist, 'src', 'cli.js'), 0o755);

const load = (path) => import(pathToFileURL(join(dist, path)).href);
const { operations } = await load('tools/index.js');
const { loadConfig } = await load('src/config.js');
const { buildPackagedDocs } = await load('src/transports/pages/docs/package.js');
const { base_url, rate_limit_per_second, rate_limit_per_day } = loadConfig({}, {});
const rate_limits = { per_second: rate_limit_per_second, per_day: rate_limit_per_day };
mkdirSync(join(dist, 'src', 'docs'), { recursive: true });
for (const [name, content] of buildPackagedDocs({ operations, base_url, rate_limits })) {
  writeFileSync(join(dist, 'src', 'docs', name), content);
}

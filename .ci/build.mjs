/* Builds dist from scratch, unless nothing has changed since it was built. Compiles into .build, where each module is a file as in src; precomputes values
   that need not be computed at every start, and the packaged documentation; then bundles everything into
   dist. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const compiled = join(root, '.build');
const INSTALLED = join('node_modules', '.package-lock.json');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

// `prepare` also runs where only the production packages are installed: in that case, keep the existing
// build.
if (process.argv.includes('--if-possible') && !existsSync(compiler)) process.exit(0);
const load = (path) => import(pathToFileURL(join(compiled, path)).href);
// Every suite starts with a build. Its output is kept if its inputs are unchanged.
const stamp = join(compiled, 'inputs.sha256');
const inputs = hashInputs();
if (existsSync(dist) && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) {
  reportMissingAddon(await load('src/sqlite.js'));
  process.exit(0);
}

const started_ms = performance.now();
process.stderr.write('Compiling the service, which takes about half a minute ...\n');
rmSync(compiled, { recursive: true, force: true });
const compile = (project, folder) => {
  const args = [compiler, '-p', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
};
compile(root, compiled);
// Browser scripts use other types.
const scripts = join('src', 'pages', 'client');
compile(join(root, scripts), join(compiled, scripts));
const copyFiles = (from, to, isCopied) => {
  for (const file of readdirSync(join(from, 'src'), { recursive: true }).map((name) => join('src', name))) {
    if (statSync(join(from, file)).isFile() && isCopied(file)) cpSync(join(from, file), join(to, file));
  }
};
copyFiles(root, compiled, (path) => !/\.tsx?$|tsconfig\.json$/.test(path));

const { operations } = await load('tools/index.js');
const { loadConfig } = await load('src/config.js');
const { buildPackagedDocs } = await load('src/transports/pages/docs/package.js');
const { OFFERED_TOOLS } = await load('src/compose/offered_tools.js');
const { listConverted } = await load('src/transports/schema_conversion.js');
const { base_url, rate_limit_per_second, rate_limit_per_day } = loadConfig({}, {});
const rate_limits = { per_second: rate_limit_per_second, per_day: rate_limit_per_day };
// Every schema is in the documentation, so after this all are converted.
const docs = buildPackagedDocs({ operations, base_url, rate_limits });

// An assistant may start the service at any time: the old build stays until the new one is complete.
const fresh = join(compiled, 'dist');
const { bundle } = await import('./bundle.mjs');
const files = await bundle(compiled, join(fresh, 'src'), {
  'src/transports/schema_conversion.js': buildSchemaModule(listConverted()),
  'src/compose/offered_tools.js': `export const OFFERED_TOOLS = ${toParsed(OFFERED_TOOLS)};`,
});
writeFileSync(join(compiled, 'files.json'), JSON.stringify(files, undefined, 2));
chmodSync(join(fresh, 'src', 'cli.js'), 0o755);
copyFiles(compiled, fresh, (path) => path.startsWith(scripts) || !/\.js(\.map)?$/.test(path));
mkdirSync(join(fresh, 'src', 'docs'), { recursive: true });
for (const [name, content] of docs) writeFileSync(join(fresh, 'src', 'docs', name), content);
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);
writeFileSync(stamp, inputs);
const seconds = Math.round((performance.now() - started_ms) / 1000);
process.stderr.write(`Compiled in ${seconds} s.\n`);
reportMissingAddon(await load('src/sqlite.js'));

/**
 * Hashes the names and contents of all files that the build reads. For node_modules, it hashes only the lockfile that
 * npm keeps there, which names the installed packages.
 */
function hashInputs() {
  const hash = createHash('sha256');
  const paths = ['src', 'tools', 'schemas', '.ci'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  for (const path of [...paths, 'tsconfig.json', INSTALLED].toSorted(compareText)) {
    hash.update(`${path}\n`);
    if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
      hash.update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function compareText(one, other) {
  return one < other ? -1 : 1;
}

/** npm silently leaves out an optional package that it cannot install. */
function reportMissingAddon({ AddonError, openAddon }) {
  try {
    openAddon(':memory:').close();
  } catch (cause) {
    if (!(cause instanceof AddonError)) throw cause;
    process.stderr.write(
      'npm could not install the SQLite addon: neither the service nor its tests will start. Without a download for this system it is compiled, which needs Python, make, a C++ compiler and the headers of Node. `npm ci --foreground-scripts` shows what failed.\n',
    );
  }
}

/** Replaces the module that converts. */
function buildSchemaModule(converted) {
  return `
const TEXTS = ${toParsed(Object.fromEntries(converted))};
export function convert(name) {
  if (!Object.hasOwn(TEXTS, name)) throw new TypeError(name + ': the build knows no such schema.');
  return JSON.parse(TEXTS[name]);
}
`;
}

/** As text, since Node parses JSON faster than code. */
function toParsed(value) {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}

/*
 * Builds dist from nothing. Compiles into .build, where the modules stand each by itself as in src; makes of them what need not be
 * made again at every start, and the packaged documentation; then joins all of it into dist.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const compiled = join(root, '.build');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

// `prepare` also runs where only the production packages are: what is built already stays, then.
if (process.argv.includes('--if-possible') && !existsSync(compiler)) process.exit(0);

rmSync(compiled, { recursive: true, force: true });
const compile = (project, folder) => {
  const args = [compiler, '-p', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
};
compile(root, compiled);
// What runs in browsers knows other types.
const scripts = join('src', 'pages', 'client');
compile(join(root, scripts), join(compiled, scripts));
const copyFiles = (from, to, isCopied) => {
  for (const file of readdirSync(join(from, 'src'), { recursive: true }).map((name) => join('src', name))) {
    if (statSync(join(from, file)).isFile() && isCopied(file)) cpSync(join(from, file), join(to, file));
  }
};
copyFiles(root, compiled, (path) => !/\.tsx?$|tsconfig\.json$/.test(path));

const load = (path) => import(pathToFileURL(join(compiled, path)).href);
const { operations } = await load('tools/index.js');
const { loadConfig } = await load('src/config.js');
const { buildPackagedDocs } = await load('src/transports/pages/docs/package.js');
const { OFFERED_TOOLS } = await load('src/compose/offered_tools.js');
const { listConverted } = await load('src/transports/schema_conversion.js');
const { base_url, rate_limit_per_second, rate_limit_per_day } = loadConfig({}, {});
const rate_limits = { per_second: rate_limit_per_second, per_day: rate_limit_per_day };
// Every schema is in the documentation, so that after this all are converted.
const docs = buildPackagedDocs({ operations, base_url, rate_limits });

rmSync(dist, { recursive: true, force: true });
const { bundle } = await import('./bundle.mjs');
const files = await bundle(compiled, join(dist, 'src'), {
  'src/transports/schema_conversion.js': buildSchemaModule(listConverted()),
  'src/compose/offered_tools.js': `export const OFFERED_TOOLS = ${toParsed(OFFERED_TOOLS)};`,
});
writeFileSync(join(compiled, 'files.json'), JSON.stringify(files, undefined, 2));
chmodSync(join(dist, 'src', 'cli.js'), 0o755);
copyFiles(compiled, dist, (path) => path.startsWith(scripts) || !path.endsWith('.js'));
mkdirSync(join(dist, 'src', 'docs'), { recursive: true });
for (const [name, content] of docs) writeFileSync(join(dist, 'src', 'docs', name), content);

/** Stands for the module that converts. */
function buildSchemaModule(converted) {
  return `
const TEXTS = ${toParsed(Object.fromEntries(converted))};
export function convert(name) {
  if (!Object.hasOwn(TEXTS, name)) throw new TypeError(name + ': the build knows no such schema.');
  return JSON.parse(TEXTS[name]);
}
`;
}

/** As text, since Node reads JSON faster than code. */
function toParsed(value) {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
}

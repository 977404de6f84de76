/* oxlint-disable no-console -- a command reports */
/* Prepares a release: npm run release -- [VERSION] [--dry-run] [--quick]. Writes VERSION into every
   description and above the entries of CHANGELOG.md, checks and builds the release into release/, and prints
   the remaining manual steps. --dry-run does this in a clone of the last commit, which it removes. --quick
   skips the package and the bundle, which take minutes. Exits with 1 if a check failed, and with 2 if the
   arguments are wrong. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { pack, root, run } from './package.mjs';

const USAGE = 'npm run release -- [VERSION] [--dry-run] [--quick]';
const UNRELEASED = /^## Unreleased$/m;
const out = join(root, 'release');

const { version: wanted, ...flags } = readArguments();
if (flags['dry-run']) releaseInClone();
else {
  if (wanted !== undefined) setVersion(wanted);
  // Otherwise a build of the same sources would be kept, even if its files were edited.
  rmSync(join(root, '.build', 'inputs.sha256'), { force: true });
  run('npm', ['run', '-s', 'build'], root);
  // Updates the files that repeat package.json; a failure here fails again in the checks.
  if (wanted !== undefined) hasPassed('npm', ['run', '-s', 'readme']);
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const results = check(own);
  for (const { name, problem } of results) {
    console.log(problem === undefined ? `passed  ${name}` : `FAILED  ${name}: ${problem}`);
  }
  if (results.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
  console.log(
    `\nOnce every check has passed, in this order:\n${listSteps(own)
      .map((step, index) => `${index + 1}. ${step}`)
      .join('\n')}`,
  );
}

function readArguments() {
  const options = { 'dry-run': { type: 'boolean' }, quick: { type: 'boolean' } };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [version, ...others] = positionals;
    if (others.length > 0) throw new Error(`There are several versions: ${positionals.join(', ')}.`);
    if (version !== undefined && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      throw new Error(`This is not a version such as 1.2.3: ${version}.`);
    }
    return { ...values, version };
  } catch (cause) {
    console.error(`${cause.message}\n${USAGE}`);
    return process.exit(2);
  }
}

function releaseInClone() {
  const folder = mkdtempSync(join(tmpdir(), 'listing-release-'));
  try {
    const clone = join(folder, 'clone');
    run('git', ['clone', '-q', root, clone], folder);
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    const args = [wanted, flags.quick ? '--quick' : undefined].filter((one) => one !== undefined);
    const script = join(clone, '.ci', 'release.mjs');
    process.exitCode = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In package.json and the changelog. */
function setVersion(version) {
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'], root);
  const file = join(root, 'CHANGELOG.md');
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(UNRELEASED, heading));
}

/** The output of the command goes to stderr. */
function hasPassed(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

/** Runs each check, with what to do if it fails. Later ones run whatever an earlier one found. */
function check({ version }) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const checks = {
    changelog: () => checkChangelog(version),
    tag: () => checkTag(version),
    'frozen data folders': checkFrozen,
    'versions, manifests and image': checkDescriptions,
    ...(flags.quick
      ? {}
      : {
          'plugin and skills': checkSkills,
          package: buildPackage,
          bundle: buildBundle,
          'server.json': writeServer,
        }),
  };
  return Object.entries(checks).map(([name, work]) => {
    console.error(`== ${name}`);
    try {
      return { name, problem: work() };
    } catch (cause) {
      return { name, problem: cause.message.split('\n', 1)[0] };
    }
  });
}

function checkChangelog(version) {
  const [, first = '', entries = ''] =
    /^## (.+)\n([^]*?)(?=^## |(?![^]))/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  if (!first.startsWith(`${version} (`)) {
    return `its first section is "${first}". npm run release -- ${version} names it after the version and the day.`;
  }
  return /^- /m.test(entries) ? undefined : `${version} has no entry. Say what changed for whom.`;
}

function checkTag(version) {
  const hasTag = run('git', ['tag', '--list', `v${version}`], root).trim() !== '';
  return hasTag ? `v${version} is released. Give the next version.` : undefined;
}

/** Later versions are tested with a folder of this one, so each released schema needs one. */
function checkFrozen() {
  const migrations = join(root, 'src', 'store', 'migrations');
  const findLast = (...path) =>
    Math.max(
      ...readdirSync(join(migrations, ...path)).map((name) => Number(/^step_(\d+)/.exec(name)?.[1] ?? 0)),
    );
  const needed = [`version_${findLast('sqlite', 'steps')}`, `postgres_${findLast('postgres')}`];
  const missing = needed.filter((name) => !existsSync(join(root, 'test', 'store', 'frozen', name)));
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. test/store/frozen/README.md says how to add one.`;
}

function checkDescriptions() {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', 'test/package'];
  return hasPassed(process.execPath, args) ? undefined : 'see above. npm run readme writes them.';
}

function checkSkills() {
  run(process.execPath, [join(root, '.ci', 'check_skills.mjs')], root);
}

function buildPackage() {
  pack(out);
  run(process.execPath, [join(root, '.ci', 'check_package.mjs')], root);
}

function buildBundle() {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  run(process.execPath, [join(root, '.ci', 'mcpb.mjs'), join(out, `${name}-${version}.mcpb`)], root);
  run(process.execPath, [join(root, '.ci', 'check_bundle.mjs')], root);
}

/** With the hash of the built bundle. */
function writeServer() {
  const bundle = readdirSync(out).find((name) => name.endsWith('.mcpb'));
  if (bundle === undefined) return 'it needs the hash of the bundle, which was not built.';
  const fileSha256 = createHash('sha256')
    .update(readFileSync(join(out, bundle)))
    .digest('hex');
  const server = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8'));
  const packages = server.packages.map((one) =>
    one.registryType === 'mcpb' && basename(one.identifier) === bundle ? { ...one, fileSha256 } : one,
  );
  if (!packages.some((one) => one.fileSha256)) return `it does not name ${bundle}.`;
  writeFileSync(join(out, 'server.json'), `${JSON.stringify({ ...server, packages }, undefined, 2)}\n`);
  return undefined;
}

/** Steps that need the owner's accounts. The workflow does everything that follows from the tag. */
function listSteps({ name, version }) {
  return [
    `Commit: git commit -am "chore: release ${version}". Then wait until .ci/run and npm run test:nightly have passed on this commit.`,
    `Once only: at npm, name .github/workflows/release.yml as the trusted publisher of ${name}.`,
    `git tag v${version} && git push origin main v${version}. The workflow publishes the package and the image, both with provenance and an SBOM, and drafts a release.`,
    `Attach release/${name}-${version}.mcpb to the draft, and publish it. release/server.json has the hash of this file.`,
    'mcp-publisher login github, then mcp-publisher publish release/server.json.',
    `Install ${name}-${version}.mcpb in Claude Desktop, and ask it which shops are connected.`,
    'Claude plugin and Gemini CLI read the repository: claude plugin marketplace add, and gemini extensions install, with its address, show the new version.',
  ];
}

// Does what the Dockerfile says, without an engine: runs its steps in folders that stand for its stages, with
// only the files that it copies; then starts the container's command as its user, runs its HEALTHCHECK, and
// stops it with its STOPSIGNAL.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root as context, run } from '../package.mjs';
import { checkSbom } from '../check_sbom.mjs';
import { parseAllowed, parseDockerfile } from './dockerfile.mjs';
import { replayStage } from './stage.mjs';

const HEALTHY_MS = 120_000;
/** Settings that this computer needs to reach the registry. */
const REACHES =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|all|no)_proxy|npm_config_(registry|cafile|https?_proxy|proxy|cache|userconfig|globalconfig))$/i;
const say = (text) => process.stderr.write(`${text}\n`);
const isRoot = process.getuid?.() === 0;

const folder = mkdtempSync(join(tmpdir(), 'listing-image-'));
chmodSync(folder, 0o755);

try {
  const described = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const allowed = parseAllowed(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const env = borrowNode(described);
  const stages = new Map();
  let last;
  for (const [index, stage] of described.entries()) {
    const root = join(folder, stage.name ?? `stage-${index}`);
    mkdirSync(root);
    say(`== ${stage.image}`);
    last = replayStage(stage, { root, stages, context, allowed, env });
    stages.set(stage.name, last);
  }
  checkSbom(join(last.root, 'app'));
  await runImage(last);
  say(
    `The steps of the Dockerfile work and what they make starts, is healthy and stops. This proves nothing of the image ${described.at(-1).image} itself: no engine ran.`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Uses the Node that the images are named after instead of the one in them; returns the variables that put it
 * first.
 */
function borrowNode(stages) {
  const [major, ...others] = new Set(stages.map(({ image }) => /^node:(\d+)/.exec(image)?.[1]));
  assert(major !== undefined && others.length === 0, 'all stages start from one Node');
  const home = join(folder, 'borrowed');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify({ allowScripts: { node: true } }));
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', `node@${major}`], home);
  const bin = join(home, 'node_modules', 'node', 'bin');
  const reached = Object.entries(process.env).filter(([name]) => REACHES.test(name));
  return {
    ...Object.fromEntries(reached),
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: process.env.HOME,
  };
}

async function runImage({ root, cwd, env, user, entrypoint, command, healthcheck, stop_signal, volumes }) {
  const [uid, gid] = user.split(':').map(Number);
  assert(uid > 0, 'it does not run as root');
  const as = isRoot ? { uid, gid } : {};
  if (!isRoot) say('   Not root here: it runs as you, not as its USER.');
  const running = { ...env, HOME: root, PORT: String(await findFreePort()) };
  const [program, ...args] = [...entrypoint, ...command];
  const child = spawn(program, args, { cwd, env: running, ...as, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  const ended = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
  try {
    const ask = () => spawnSync(healthcheck[0], healthcheck.slice(1), { cwd, env: running, ...as }).status;
    const until = Date.now() + HEALTHY_MS;
    while (ask() !== 0) {
      assert(child.exitCode === null, 'it ended by itself');
      assert(Date.now() < until, 'it did not become healthy');
      await wait(500);
    }
    // It listens before its output is complete, and the output is not received during a health check.
    while (!/keys create/.test(stdout)) {
      assert(Date.now() < until, 'it does not say how to get a key at its first start');
      await wait(100);
    }
    assert.doesNotMatch(stdout, /mls_/, 'it prints no key into a log');
    const keys = spawnSync(entrypoint[0], [...entrypoint.slice(1), 'keys', 'create', '--json'], {
      cwd,
      env: running,
      ...as,
      encoding: 'utf8',
    });
    assert.equal(keys.status, 0, keys.stderr);
    const [data] = volumes.map((path) => join(root, path));
    assert.equal(data, env.DATA_DIR, 'the volume is the data folder');
    assert(existsSync(join(data, 'service.db')), 'its data is in the volume');
    if (isRoot) assert.equal(statSync(join(data, 'service.db')).uid, uid);

    child.kill(stop_signal);
    assert.equal(await ended, 0, 'it stops when it is told');
    assert.notEqual(ask(), 0, 'what has stopped is not healthy');
  } finally {
    child.kill('SIGKILL');
  }
}

function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

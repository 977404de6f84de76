// Runs one stage of a Dockerfile in a folder that stands for its file system.
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { parseEnv, parseExec } from './dockerfile.mjs';

const isRoot = process.getuid?.() === 0;

/**
 * Returns how to run the stage: {root, cwd, env, user, entrypoint, command, healthcheck, stop_signal,
 * volumes}.
 * @param world.root the folder; world.stages those before, by name; world.context the folder of the
 * Dockerfile, and world.allowed what of it may be copied; world.env what the image and the computer bring
 */
export function replayStage({ instructions }, { root, stages, context, allowed, env }) {
  const image = { root, cwd: '/', env: { ...env }, volumes: [] };
  const inRoot = (path) => join(root, posix.resolve(image.cwd, path));
  /** A variable that contains a path gets the path inside the folder. */
  const toEnv = (text) =>
    Object.fromEntries(
      Object.entries(parseEnv(text)).map(([name, value]) => [
        name,
        value.startsWith('/') ? join(root, value) : value,
      ]),
    );
  const steps = {
    WORKDIR(text) {
      image.cwd = posix.resolve(image.cwd, text);
      mkdirSync(inRoot('.'), { recursive: true });
    },
    COPY(text, { from, chown, ...others }) {
      if (Object.keys(others).length > 0)
        throw new Error(`COPY has an unknown flag: ${Object.keys(others).join(' ')}`);
      const paths = text.split(/\s+/);
      const target = paths.pop();
      for (const path of paths) {
        if (from === undefined) assertAllowed(path, allowed);
        const source = from === undefined ? join(context, path) : join(stages.get(from).root, path);
        const to = statSync(source).isDirectory() ? inRoot(target) : join(inRoot(target), basename(path));
        cpSync(source, to, { recursive: true, verbatimSymlinks: true });
        if (chown !== undefined && isRoot) chownAll(to, chown);
      }
    },
    RUN(text) {
      if (/(^|[\s=])\//.test(text)) throw new Error(`A step with an absolute path is not replayed: ${text}`);
      const { status } = spawnSync('sh', ['-c', text], {
        cwd: inRoot('.'),
        env: image.env,
        stdio: ['ignore', 2, 2],
      });
      if (status !== 0) throw new Error(`This ended with ${status}: ${text}`);
    },
    ENV: (text) => Object.assign(image.env, toEnv(text)),
    VOLUME: (text) => image.volumes.push(text),
    EXPOSE: () => {},
    LABEL: () => {},
    USER: (text) => (image.user = text),
    STOPSIGNAL: (text) => (image.stop_signal = text),
    HEALTHCHECK: (text) => (image.healthcheck = parseExec(text.replace(/^CMD\s+/, ''))),
    ENTRYPOINT: (text) => (image.entrypoint = parseExec(text)),
    CMD: (text) => (image.command = parseExec(text)),
  };
  for (const { keyword, flags, text } of instructions) {
    const step = steps[keyword];
    if (step === undefined) throw new Error(`An unknown instruction: ${keyword}`);
    process.stderr.write(`   ${keyword} ${text}\n`);
    step(text, flags);
  }
  return { ...image, cwd: inRoot('.') };
}

function assertAllowed(path, allowed) {
  const normal = posix.normalize(path);
  if (allowed.some((name) => normal === name || normal.startsWith(`${name}/`))) return;
  throw new Error(`.dockerignore leaves ${path} out`);
}

function chownAll(path, owner) {
  const [user, group] = owner.split(':').map(Number);
  chownSync(path, user, group);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownAll(join(path, name), owner);
}

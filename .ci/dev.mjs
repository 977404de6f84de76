/* Runs the service, and rebuilds and restarts it each time a source changes; if a build fails, at the next
   change. */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Editors save in several steps, and save several files at once. */
const SETTLE_MS = 150;

let server;
let timer;
let isBuilding = false;
let hasChanged = false;

const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

async function startAnew() {
  if (isBuilding) {
    hasChanged = true;
    return;
  }
  isBuilding = true;
  do {
    hasChanged = false;
    const [status] = await once(run(join('.ci', 'build.mjs')), 'exit');
    if (status !== 0 || hasChanged) continue;
    await stop();
    server = run(join('dist', 'src', 'cli.js'), 'serve', ...process.argv.slice(2));
  } while (hasChanged);
  isBuilding = false;
}

/** Lets the server stop gracefully: jobs stop between two steps. */
async function stop() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

for (const folder of ['schemas', 'tools', 'src']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void startAnew(), SETTLE_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void stop().then(() => process.exit(0)));
}
await startAnew();

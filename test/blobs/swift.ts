import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../media/sample.js';

/** Swift's own users; tempauth takes account and user together. */
export const SWIFT_KEY = { access_key_id: 'test:tester', secret_access_key: 'testing' };

const SERVERS = ['object', 'container', 'account'] as const;

/** OpenStack Swift with its s3api on loopback: one device, one copy. */
export type Swift = { url: string; close(): Promise<void> };

/** Whether Debian's packages are here: swift-proxy, swift-account, swift-container, swift-object and memcached. */
export function hasSwift(): boolean {
  const programs = ['swift-ring-builder', 'memcached', 'proxy', ...SERVERS].map((name) =>
    name.includes('-') || name === 'memcached' ? name : `swift-${name}-server`,
  );
  return programs.every((program) => {
    try {
      execFileSync('which', [program], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'));
  const [proxy_port = 0, memcached_port = 0, ...server_ports] = await Promise.all(
    Array.from({ length: 2 + SERVERS.length }, findPort),
  );
  const { username } = userInfo();
  const common = `workers = 0\nbind_ip = 127.0.0.1\nuser = ${username}\nswift_dir = ${folder}\nlog_level = WARNING\n`;
  await mkdir(join(folder, 'devices', 'd1'), { recursive: true });
  for (const [index, name] of SERVERS.entries()) {
    const port = server_ports[index];
    await writeFile(
      join(folder, `${name}.conf`),
      `[DEFAULT]\n${common}bind_port = ${port}\ndevices = ${join(folder, 'devices')}\nmount_check = false\ndisable_fallocate = true\n` +
        `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    );
    const build = (...args: string[]) =>
      execFileSync('swift-ring-builder', [join(folder, `${name}.builder`), ...args], { stdio: 'ignore' });
    build('create', '4', '1', '0');
    build('add', `r1z1-127.0.0.1:${port}/d1`, '1');
    build('rebalance');
  }
  await writeFile(
    join(folder, 'proxy.conf'),
    `[DEFAULT]\n${common}bind_port = ${proxy_port}\n` +
      '[pipeline:main]\npipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo versioned_writes proxy-server\n' +
      '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n' +
      `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${memcached_port}\n` +
      '[filter:s3api]\nuse = egg:swift#s3api\nlocation = us-east-1\n' +
      `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = ${SWIFT_KEY.secret_access_key} .admin\n` +
      ['catch_errors', 'gatekeeper', 'listing_formats', 'copy', 'slo', 'dlo', 'versioned_writes']
        .map((filter) => `[filter:${filter}]\nuse = egg:swift#${filter}\n`)
        .join(''),
  );
  const running = [
    run('memcached', ['-u', username, '-l', '127.0.0.1', '-p', String(memcached_port)]),
    ...[...SERVERS, 'proxy'].map((name) => run(`swift-${name}-server`, [join(folder, `${name}.conf`)])),
  ];
  const url = `http://127.0.0.1:${proxy_port}`;
  const close = async () => {
    await Promise.all(running.map(end));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilAnswered([proxy_port, ...server_ports]);
  } catch (cause) {
    await close();
    throw cause;
  }
  return { url, close };
}

function run(program: string, args: string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function untilAnswered(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      if (answer) break;
      if (tries === 400) throw new Error('OpenStack Swift did not start.');
      await sleep(200);
    }
  }
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

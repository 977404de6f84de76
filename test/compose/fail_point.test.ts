import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endProcessAt } from '../../src/compose/fail_point.js';
import { FAIL_POINTS } from '../../src/core/points.js';
import { CLI } from '../surfaces/faces.js';

describe('FAIL_POINT', () => {
  it('has a name for each side of every commit and every call, each once', () => {
    expect(new Set(FAIL_POINTS).size).toBe(FAIL_POINTS.length);
    expect(FAIL_POINTS.filter((name) => /^(create|activate)\./.test(name))).toEqual(
      ['create', 'activate'].flatMap((step) =>
        ['before_call', 'after_call', 'before_commit', 'after_commit'].map((side) => `${step}.${side}`),
      ),
    );
  });

  it.each(['images.after_cal', 'images', 'job.created:0', 'job.created:x', ''])('refuses %j', (wanted) => {
    expect(() => endProcessAt(wanted)).toThrow('FAIL_POINT must be one of job.before_create, ');
  });

  it('lets other points, and the one before its time, pass', () => {
    const reach = endProcessAt('job.created:2');
    // A kill would end this test with its process.
    expect([reach('job.before_create'), reach('job.created')]).toEqual([undefined, undefined]);
  });

  it.skipIf(process.platform !== 'linux')(
    'with /stop lets the process stand still until it is woken',
    async () => {
      const { PATH = '' } = process.env;
      const script = `import { endProcessAt } from './.build/src/compose/fail_point.js';
      endProcessAt('job.created/stop')('job.created'); process.stdout.write('woken');`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: { PATH } });
      let told = '';
      child.stdout.on('data', (bytes: Buffer) => (told += bytes.toString()));
      const isStopped = () => /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'));
      await expect.poll(isStopped).toBe(true);
      expect(told).toBe('');
      child.kill('SIGCONT');
      const [code] = (await once(child, 'close')) as [number];
      expect([code, told]).toEqual([0, 'woken']);
    },
  );

  it('that is no point stops the start with a sentence', () => {
    const { PATH = '' } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'serve'], {
      env: { PATH, FAIL_POINT: 'nowhere', DATA_DIR: '/nonexistent/never-made', PORT: '0' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^listing-service: FAIL_POINT must be one of .*, or one of them with :2\.\n$/);
  });
});

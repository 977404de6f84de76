import { spawnSync } from 'node:child_process';
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

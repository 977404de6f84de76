import { ConfigError } from '../config.js';
import { FAIL_POINTS, type FailPoint } from '../core/points.js';

/**
 * For crash tests: the process ends at the point as if its power had gone, when it comes there for the n-th time.
 * @param wanted `images.after_call`, or `images.after_call:2` for the second time; throws ConfigError for an unknown point
 */
export function endProcessAt(wanted: string): (point: FailPoint) => void {
  const [, name, times = '1'] = /^([a-z_.]+)(?::([1-9]\d{0,3}))?$/.exec(wanted) ?? [];
  const fail_point = FAIL_POINTS.find((point) => point === name);
  if (!fail_point) {
    throw new ConfigError(`FAIL_POINT must be one of ${FAIL_POINTS.join(', ')}, or one of them with :2.`);
  }
  let left = Number(times);
  return (point) => {
    if (point !== fail_point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}

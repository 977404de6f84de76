import { readPackage } from '../../version.js';
import { ok, problem, type Check } from './check.js';

/**
 * Checks that Node is as new as package.json requires.
 * @param version of Node, such as 22.3.0
 */
export function checkRuntime(version: string): Check[] {
  const { least_node, version: own } = readPackage();
  if (isAtLeast(version, least_node)) return [ok('runtime', `Version ${own} on Node ${version}.`)];
  return [problem('runtime', `Node ${version} is older than ${least_node}.`, 'Install a newer Node.')];
}

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  const differsAt = [0, 1, 2].find((index) => a?.[index] !== b?.[index]);
  return differsAt === undefined || (a?.[differsAt] ?? 0) > (b?.[differsAt] ?? 0);
}

import { expect, it } from 'vitest';
import { findLastingPath } from '../../../src/cli/setup/entry.js';

it.each([
  [
    'the link of its formula',
    '/opt/homebrew/Cellar/node@24/24.3.0/bin/node',
    ['/opt/homebrew/opt/node@24/bin/node', '/opt/homebrew/bin/node'],
    '/opt/homebrew/opt/node@24/bin/node',
  ],
  [
    'the link in bin, if the formula has none',
    '/usr/local/Cellar/node/26.1.0/bin/node',
    ['/usr/local/bin/node'],
    '/usr/local/bin/node',
  ],
  [
    'the path unchanged, if the links lead to another version',
    '/opt/homebrew/Cellar/node/26.1.0/bin/node',
    [],
    '/opt/homebrew/Cellar/node/26.1.0/bin/node',
  ],
  ['any other path unchanged', '/usr/bin/node', ['/usr/bin/node'], '/usr/bin/node'],
])('the path of Node is %s', (_what, path, links, expected) => {
  expect(findLastingPath(path, (one) => links.includes(one))).toBe(expected);
});

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPresence } from '../../../src/store/engine/sqlite/presence.js';
import { makeDirectory } from '../world.js';

it('knows who is there, and that nobody is where there is no folder of locks', () => {
  const folder = join(makeDirectory(), 'processes');
  const [here, there] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    here.close();
    there.close();
  });
  expect(there.isPresent('one')).toBe(false);
  here.announce('one');
  expect(there.isPresent('one')).toBe(true);
  here.close();
  expect(there.isPresent('one')).toBe(false);
});

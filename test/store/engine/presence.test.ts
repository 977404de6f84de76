import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPresence, forgetOwners, listOwners } from '../../../src/store/engine/sqlite/presence.js';
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

it('lists those that are there, and those that were killed until they are forgotten', () => {
  const folder = join(makeDirectory(), 'processes');
  expect(listOwners(folder)).toEqual({ present: [], gone: [] });
  const [presence, other] = [createPresence(folder), createPresence(folder)];
  onTestFinished(() => {
    presence.close();
    other.close();
  });
  presence.announce('one / two');
  writeFileSync(join(folder, 'killed.lock'), '');
  writeFileSync(join(folder, 'killed.lock-journal'), '');
  // Another process that asks for it leaves it to the next start.
  expect(other.isPresent('killed')).toBe(false);
  expect(listOwners(folder)).toEqual({ present: ['one / two'], gone: ['killed'] });

  forgetOwners(folder, ['killed']);
  expect(listOwners(folder)).toEqual({ present: ['one / two'], gone: [] });
  presence.close();
  expect(readdirSync(folder)).toEqual([]);
});

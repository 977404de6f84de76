import { describe, expect, it } from 'vitest';
import { createLanes, type Lanes } from '../../src/webhooks/lanes.js';

function enter(lanes: Lanes, account_id: string, times: number): void {
  for (let n = 0; n < times; n += 1) lanes.enter(account_id);
}

const roomOf = (lanes: Lanes, account_id: string) => lanes.share([account_id])[0]?.room ?? 0;

describe('the lanes of a receiver', () => {
  it('grow with each success up to eight, and shrink to one on a failure', () => {
    const lanes = createLanes();
    const widths = [roomOf(lanes, 'a')];
    for (const isSuccess of [true, true, true, false, true, true]) {
      lanes.enter('a');
      lanes.leave('a', isSuccess);
      widths.push(roomOf(lanes, 'a'));
    }
    expect(widths).toEqual([2, 4, 8, 8, 1, 2, 4]);
  });

  it('have no room while they are all in use', () => {
    const lanes = createLanes();
    enter(lanes, 'a', 2);
    expect(lanes.share(['a'])).toEqual([]);
    lanes.leave('a', false);
    expect(lanes.share(['a'])).toEqual([]);
    lanes.leave('a', false);
    expect(lanes.share(['a'])).toEqual([{ account_id: 'a', room: 1 }]);
  });

  it('share the remaining room, the emptiest first', () => {
    const lanes = createLanes();
    lanes.enter('b');
    expect(lanes.share(['b', 'a'])).toEqual([
      { account_id: 'a', room: 2 },
      { account_id: 'b', room: 1 },
    ]);
    const crowd = Array.from({ length: 127 }, (_, n) => `crowd ${n}`);
    for (const account_id of crowd) enter(lanes, account_id, 2);
    expect(lanes.share(['b', 'a'])).toEqual([{ account_id: 'a', room: 1 }]);
    enter(lanes, 'a', 1);
    expect(lanes.share(['a', 'b', 'c'])).toEqual([]);
    lanes.leave('crowd 1', true);
    expect(lanes.share(['c'])).toEqual([{ account_id: 'c', room: 1 }]);
  });

  it('report when they are half empty', () => {
    const lanes = createLanes();
    enter(lanes, 'a', 2);
    const reported = [lanes.leave('a', true)];
    enter(lanes, 'a', 3);
    reported.push(lanes.leave('a', false), lanes.leave('a', false), lanes.leave('a', false));
    expect(reported).toEqual([true, false, false, false]);
    expect(lanes.leave('a', false)).toBe(true);
  });

  it('give the last place to the account that has waited longest, regardless of names', () => {
    const lanes = createLanes();
    for (let n = 0; n < 128; n += 1) enter(lanes, `crowd ${n}`, 2);
    const waiting = ['crowd 7', 'z'];
    // The crowd never ends: every failure is followed by more.
    for (const account_id of ['crowd 7', 'crowd 7']) lanes.leave(account_id, false);
    lanes.enter('other');
    expect(lanes.share(waiting)).toEqual([{ account_id: 'z', room: 1 }]);
    lanes.enter('z');
    lanes.leave('z', false);
    expect(lanes.share(['z', 'crowd 7'])).toEqual([{ account_id: 'crowd 7', room: 1 }]);
  });
});

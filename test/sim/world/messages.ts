import type { Chance } from '../kernel/chance.js';
import type { Journal } from '../kernel/journal.js';
import type { Schedule } from '../kernel/schedule.js';
import { untilEnd, type Machine } from './machine.js';

/** One in this many messages of the marketplace is lost or delayed; the marketplace repeats it for a time. */
const LOST_ONE_IN = 4;
const LATE_ONE_IN = 4;
const LATE_MS = 10 * 60_000;

/**
 * Delivers messages of the marketplace to a program, which wakes for them unless it is away. Rejects if none
 * accepts it.
 */
export function createMessageWay({
  schedule,
  machines,
  journal,
  bell,
  chance,
}: {
  schedule: Schedule;
  machines: readonly Machine[];
  journal: Journal;
  bell: { ring(): void };
  chance: Chance;
}): (headers: Readonly<Record<string, string>>, body: string) => Promise<number> {
  return async (headers, body) => {
    const isLost = chance.oneIn(LOST_ONE_IN);
    if (chance.oneIn(LATE_ONE_IN)) await schedule.pause(chance.below(LATE_MS));
    const there = machines.filter((machine) => machine.getLife() && !machine.isAway());
    const machine = there.length === 0 ? undefined : chance.pick(there);
    machine?.wake();
    bell.ring();
    const life = machine?.getLife();
    if (isLost || !life) throw new Error('no one took it');
    const message = {
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      body: Buffer.from(body),
    };
    const taken = await untilEnd(
      life,
      life.app.service.receiveMarketplaceMessage(message).then(
        () => 200,
        () => 401,
      ),
    );
    journal.note('message', `${headers['webhook-id']}`, String(taken));
    return taken === 'ended' ? 503 : taken;
  };
}

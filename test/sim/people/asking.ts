import type { ListingJobResult } from '../../answers.js';
import type { Chance } from '../kernel/chance.js';
import type { Passed } from '../oracles/limits.js';
import { MANY_A_DAY, type Face, type Plan } from '../plan.js';
import { untilEnd, type Life } from '../world/machine.js';
import type { World } from '../world/world.js';
import { reconnectShops } from './reconnecting.js';
import { callOperation, type Answer, type No, type OwnFile } from './client.js';

/** `was_lost`: an answer before this one was, so that it may have been done before, or twice. `declined`: what it costs was asked for, and the person said no. `given_up`: gone before there was an answer. `refused`: an answer that is no result, and that repeating does not change. */
export type Told =
  | { kind: 'told'; output: ListingJobResult & Record<string, unknown>; was_lost: boolean }
  | { kind: 'refused'; code: string; message: string; was_lost: boolean }
  | { kind: 'declined'; was_lost: boolean }
  | { kind: 'given_up' };

export type Asking = {
  face: Face;
  key?: string | undefined;
  /** Waits so long at most, and not for one that ends meanwhile; then never comes back. */
  patience_ms?: number | undefined;
  /** Says no to what it costs, where that is asked for. */
  no?: No | undefined;
  /** Sent with the call, over REST. */
  upload?: OwnFile | undefined;
  /** Called before it is asked for again after an answer that was lost: without a key, what has ended by then is done once more. */
  onLost?: (() => void) | undefined;
};

/** Who asks, until there is an answer: through crashes, limits and refusals that say to come again. */
export type Ask = (who: string, id: string, input: Record<string, unknown>, asking: Asking) => Promise<Told>;

/** Nothing is wrong with the request, as each says. */
const COME_AGAIN: ReadonlySet<string> = new Set([
  'RATE_LIMIT_SECOND',
  'RATE_LIMIT_DAY',
  'MARKETPLACE_RATE_LIMIT',
  'MARKETPLACE_UNAVAILABLE',
  'LISTING_BUSY',
  'STORE_RECONNECT_REQUIRED',
]);
/** A change that waits for a listing to be published, which looks for what a creation without an answer has made: no waiting ends it. */
const SOUGHT = /not known yet whether shop \d+ has the listing/;
/**
 * A creation without a key that has ended is known again for ten minutes: who asks for it later makes another one on purpose, and
 * leaves it at that before.
 */
const KNOWN_AGAIN_MS = 9 * 60_000;
/** Who has come so often without an end comes less often: the calls of a day are for others too. */
const MANY_TRIES = 50;
const RARER = 20;
/** Who has no calls left for the day looks in again later. */
export const LEAST_DAY_PAUSE_MS = 40 * 60_000;
const NEVER_MS = 6 * 3_600_000;
/** Where a day has few calls, a day and more may pass. */
const NEVER_DAYS_MS = 72 * 3_600_000;

/** Whether a day may end before what is asked for is done. */
export function isScarce({ calls_a_day, requests_a_day }: Plan): boolean {
  return calls_a_day < FEW_CALLS || requests_a_day < MANY_A_DAY;
}
const FEW_CALLS = 1000;

export function createAsk(
  world: World,
  chance: Chance,
  tell: { fault: (what: string) => void; call: () => void; passed: (call: Passed) => void },
): Ask {
  const { plan, machines, schedule, journal, bell } = world;
  const isDayOver = (code: string): boolean =>
    code === 'RATE_LIMIT_DAY' ||
    (code === 'MARKETPLACE_RATE_LIMIT' && plan.requests_a_day < MANY_A_DAY && chance.oneIn(2));

  function findLife(): Life | undefined {
    const awake = machines.filter((machine) => machine.getLife() && !machine.isAway());
    if (awake.length === 0) return undefined;
    const machine = chance.pick(awake);
    machine.wake();
    bell.ring();
    return machine.getLife();
  }

  async function once(
    who: string,
    id: string,
    input: Record<string, unknown>,
    asking: Asking,
  ): Promise<Answer | 'lost' | undefined> {
    const life = findLife();
    if (!life) return undefined;
    tell.call();
    const asked_ms = schedule.now();
    const answer = await untilEnd(life, callOperation(life, id, input, asking));
    if (answer === 'ended') {
      journal.note(who, `${id} ${asking.key ?? ''}`, 'no answer');
      return 'lost';
    }
    const isPassed = answer.ok || !answer.code.startsWith('RATE_LIMIT');
    // One on this computer waits for its turn, and says not since when it has it.
    if (isPassed) tell.passed({ at_ms: asked_ms, has_waited: asking.face === 'mcp_stdio' });
    if (answer.ok) {
      const { status, results } = answer.output as ListingJobResult;
      const shown = results?.map((shop) => `${shop.status}${shop.error ? ` (${shop.error})` : ''}`);
      journal.note(who, `${id} ${asking.key ?? ''}`, [status, ...(shown ?? [])].join(' '));
    } else {
      journal.note(who, `${id} ${asking.key ?? ''}`, `${answer.code}: ${answer.message}`);
      if (answer.code === 'INTERNAL' && life.owner.isAlive()) tell.fault(`${id} answers INTERNAL`);
    }
    return answer;
  }

  async function goOn(
    who: string,
    id: string,
    first: Record<string, unknown>,
    asking: Asking,
  ): Promise<Told> {
    let input = first;
    let polled: string | undefined;
    let wasLost = false;
    let lost_ms = Infinity;
    const isForgotten = (): boolean =>
      polled === undefined &&
      id === 'listing_create' &&
      asking.key === undefined &&
      schedule.now() > lost_ms + KNOWN_AGAIN_MS;
    const until_ms = schedule.now() + (isScarce(plan) ? NEVER_DAYS_MS : NEVER_MS);
    const leaves_ms = asking.patience_ms === undefined ? Infinity : schedule.now() + asking.patience_ms;
    for (let tries = 0; schedule.now() < until_ms; tries += 1) {
      if (isForgotten()) return { kind: 'given_up' };
      const answer = await (polled === undefined
        ? once(who, id, input, asking)
        : once(who, 'listing_create_status', { job_id: polled }, { face: asking.face }));
      wasLost ||= answer === 'lost';
      if (schedule.now() >= leaves_ms || (answer === 'lost' && asking.patience_ms !== undefined))
        return { kind: 'given_up' };
      if (answer === 'lost') {
        // To look for a job again makes none.
        if (polled === undefined) {
          lost_ms = Math.min(lost_ms, schedule.now());
          asking.onLost?.();
        }
      } else if (answer === undefined) {
        // No one is there.
      } else if (answer.ok) {
        const output = answer.output as ListingJobResult & Record<string, unknown>;
        if (output.status === 'confirmation_required' && output.confirm_token !== undefined) {
          if (asking.no !== undefined) return { kind: 'declined', was_lost: wasLost };
          input = { ...input, confirm: output.confirm_token };
        } else if (output.status === 'processing' && output.job_id !== undefined) polled = output.job_id;
        else return { kind: 'told', output, was_lost: wasLost };
      } else if (answer.code === 'VALIDATION_FAILED' && 'confirm' in input) {
        // The token has expired, or the process that gave it had another clock: a new one is asked for.
        if (!answer.message.includes('confirm'))
          return { kind: 'refused', code: answer.code, message: answer.message, was_lost: wasLost };
        const { confirm: _, ...rest } = input;
        input = rest;
      } else if (answer.code === 'ACTIVATION_DECLINED') {
        if (asking.no === undefined) tell.fault(`${who}: ${id} says that the person who agreed has declined`);
        return { kind: 'declined', was_lost: wasLost };
      } else if (!COME_AGAIN.has(answer.code) || SOUGHT.test(answer.message)) {
        return { kind: 'refused', code: answer.code, message: answer.message, was_lost: wasLost };
      }
      // Who asks at the very end has no one else who would do it.
      if (answer !== 'lost' && answer?.ok === false && answer.code === 'STORE_RECONNECT_REQUIRED')
        await reconnectShops(world);
      if (answer !== 'lost' && answer?.ok === false && isDayOver(answer.code)) {
        await schedule.pause(chance.between(LEAST_DAY_PAUSE_MS, 3 * LEAST_DAY_PAUSE_MS));
        continue;
      }
      const pause_ms = polled === undefined ? chance.between(700, 8_000) : chance.between(2_000, 20_000);
      await schedule.pause(tries < MANY_TRIES ? pause_ms : pause_ms * RARER);
    }
    tell.fault(`${who}: ${id} never comes to an end`);
    return { kind: 'given_up' };
  }

  return (who, id, input, asking) => {
    const going = goOn(who, id, input, asking);
    if (asking.patience_ms === undefined) return going;
    const left = schedule.pause(asking.patience_ms).then((): Told => {
      return { kind: 'given_up' };
    });
    return Promise.race([going, left]);
  };
}

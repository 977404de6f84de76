import type { ListingJobResult } from '../../answers.js';
import type { Chance } from '../kernel/chance.js';
import type { Passed } from '../oracles/limits.js';
import { MANY_A_DAY, type Face, type Plan } from '../plan.js';
import { untilEnd, type Life } from '../world/machine.js';
import type { World } from '../world/world.js';
import { reconnectShops } from './reconnecting.js';
import { callOperation, type Answer, type No, type OwnFile } from './client.js';

/**
 * `was_lost`: an earlier answer was lost, so the call may have been done before, or twice. `declined`: the fee
 * was asked for, and the person declined. `given_up`: the person left before there was an answer. `refused`:
 * an answer that is not a result, and that repeating does not change.
 */
export type Told =
  | { kind: 'told'; output: ListingJobResult & Record<string, unknown>; was_lost: boolean }
  | { kind: 'refused'; code: string; message: string; was_lost: boolean }
  | { kind: 'declined'; was_lost: boolean }
  | { kind: 'given_up' };

export type Asking = {
  face: Face;
  key?: string | undefined;
  /** The longest wait, including for a call cut off in the meantime; after that the person never returns. */
  patience_ms?: number | undefined;
  /** Declines the fee, if one is asked for. */
  no?: No | undefined;
  /** Sent with the call, over REST. */
  upload?: OwnFile | undefined;
  /**
   * Called before a call with a lost answer is repeated: without a key, a call that has finished by then is
   * done once more.
   */
  onLost?: (() => void) | undefined;
};

/** Asks until there is an answer: through crashes, limits, and refusals that say to come again. */
export type Ask = (who: string, id: string, input: Record<string, unknown>, asking: Asking) => Promise<Told>;

/** Codes that say that nothing is wrong with the request. */
const COME_AGAIN: ReadonlySet<string> = new Set([
  'RATE_LIMIT_SECOND',
  'RATE_LIMIT_DAY',
  'MARKETPLACE_RATE_LIMIT',
  'MARKETPLACE_UNAVAILABLE',
  'LISTING_BUSY',
  'STORE_RECONNECT_REQUIRED',
]);
/**
 * A change that waits for a publish, which has to search for the listing of an unanswered create: waiting does
 * not help.
 */
const SOUGHT = /call listing_publish/;
/**
 * A finished creation without a key is recognized for ten minutes. Asking later would create another listing
 * on purpose, so people give up before that.
 */
const KNOWN_AGAIN_MS = 9 * 60_000;
/** After this many tries people try less often, because others need the calls of a day, too. */
const MANY_TRIES = 50;
const RARER = 20;
/** When there are no calls left for the day, people try again later. */
export const LEAST_DAY_PAUSE_MS = 40 * 60_000;
const NEVER_MS = 6 * 3_600_000;
/** If a day has few calls, this may take more than a day. */
const NEVER_DAYS_MS = 72 * 3_600_000;

/** Whether a day's calls may be used up before the request is done. */
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
    // A local one waits for its turn, and does not report since when it has it.
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
        // Polling a job creates none.
        if (polled === undefined) {
          lost_ms = Math.min(lost_ms, schedule.now());
          asking.onLost?.();
        }
      } else if (answer === undefined) {
        // Nobody is there.
      } else if (answer.ok) {
        const output = answer.output as ListingJobResult & Record<string, unknown>;
        if (output.status === 'confirmation_required' && output.confirm_token !== undefined) {
          if (asking.no !== undefined) return { kind: 'declined', was_lost: wasLost };
          input = { ...input, confirm: output.confirm_token };
        } else if (output.status === 'processing' && output.job_id !== undefined) polled = output.job_id;
        else return { kind: 'told', output, was_lost: wasLost };
      } else if (answer.code === 'VALIDATION_FAILED' && 'confirm' in input) {
        // The token has expired, or the process that issued it had another clock: request a new one.
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
      // At the very end, nobody else would reconnect the shop.
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

import type { Again, CallFailure, FaultName } from '../../../../schemas/issues/failures.js';
import { quoteAnswer } from '../../text/foreign.js';
import { FAULT_HINTS } from './fault_hints.js';
import type { Say } from '../words.js';

/** `listing_undo with job_id … and shops […]`. */
export function toCall({ operation, job_id, shop_id }: Again): string {
  if (job_id === undefined) return operation;
  return `${operation} with job_id ${job_id}${shop_id === undefined ? '' : ` and shops [${shop_id}]`}`;
}

/** For programs: the end of a sentence. */
export function describeCallFailure(why: CallFailure, again: Again, say: Say): string {
  const call = toCall(again);
  if ('fault' in why) {
    return `${describeFaultAndHint(why.fault, say)} To finish, call ${call}`;
  }
  const { failure, status, words, is_ours } = why;
  const answer = quoteAnswer({ message: words, is_ours });
  switch (failure) {
    case 'refused':
      return `the marketplace answered ${is_ours ? '' : `${status ?? 'nothing'} `}${answer}`;
    case 'reconnect':
      return `the marketplace no longer accepts this shop's grant (${answer}); connect the shop again, then call ${call}`;
    case 'rate_limited':
      return `the marketplace's rate limit has been reached (${answer}); call ${call} later to finish`;
    case 'credentials':
      return `the marketplace refused the key of the shop's application (${answer}); ${KEY_REMEDY}, then call ${call}`;
    case 'no_application':
      return `no application is set up for calls to the marketplace (${words}); connect the shop again, then call ${call}`;
    case 'unanswered':
      return status === null
        ? `the marketplace did not respond (${answer}); call ${call} to finish`
        : `the marketplace had an internal error (it answered ${status} ${answer}); call ${call} to finish`;
  }
}

/** For programs: why something could not be read, without advice. */
export function describeUnread(why: CallFailure, say: Say): string {
  return 'fault' in why
    ? say({ code: why.fault, params: {} })
    : quoteAnswer({ message: why.words, is_ours: why.is_ours });
}

/** For sellers: the end of a sentence. */
export function describeCallFailureToSeller(why: CallFailure, say: Say): string {
  if ('fault' in why) return `${describeFault(why.fault, say)} You can finish this here afterward`;
  const { failure, words, is_ours } = why;
  switch (failure) {
    case 'refused':
      return is_ours
        ? 'Etsy refused it without giving a reason'
        : `Etsy said ${quoteAnswer({ message: words, is_ours })}`;
    case 'reconnect':
      return 'Etsy no longer lets this service access the shop. Connect the shop again, then finish this here';
    case 'rate_limited':
      return 'Etsy is not accepting more requests right now. You can finish this here later';
    case 'credentials':
      return `Etsy refused the key of the shop’s application. ${KEY_REMEDY_OF_SELLER}, then finish this here`;
    case 'no_application':
      return 'no Etsy application is set up for the shop. Connect the shop again, then finish this here';
    case 'unanswered':
      return 'Etsy did not respond. You can finish this here later';
  }
}

/** For programs: what is wrong, and what to do about it. */
export function describeFaultAndHint(fault: FaultName, say: Say): string {
  return `${say({ code: fault, params: {} })} ${FAULT_HINTS[fault]}`;
}

/** For sellers: two sentences. */
export function describeFault(fault: FaultName, say: Say): string {
  return `${say({ code: fault, params: {} })} The operator of the service has to fix this.`;
}

const KEY_REMEDY =
  'check at etsy.com/developers/your-apps that it is approved, or connect the shop again with its keystring and shared secret';
const KEY_REMEDY_OF_SELLER =
  'Check at etsy.com/developers/your-apps that it is approved, or connect the shop again with its keystring and shared secret';

import { MarketplaceError } from '../../core/ports/marketplace_call.js';

/** A period that is open in the year that it ends with. */
const OPEN = /^(20[2-9])0_20[2-9]\d$/;
const OPEN_PERIODS = /\b20\d0_20\d\d\b/g;

/**
 * Sends fields whose when_made may have the name of another year: each January the marketplace renames the current period, without
 * notice and at no known hour. Where it refuses the name and lists another one of the same period, that one is sent. A refusal
 * is known to have done nothing.
 */
export async function sendRenamed<Fields extends { when_made?: string | null | undefined }, Result>(
  fields: Fields,
  send: (fields: Fields) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(fields);
  } catch (cause) {
    const when_made = findRenamed(fields.when_made, cause);
    if (when_made === undefined) throw cause;
    return send({ ...fields, when_made });
  }
}

function findRenamed(given: string | null | undefined, cause: unknown): string | undefined {
  const [, decade] = OPEN.exec(given ?? '') ?? [];
  if (decade === undefined || !(cause instanceof MarketplaceError) || cause.failure !== 'refused')
    return undefined;
  if (!cause.fields.includes('when_made')) return undefined;
  return cause.message
    .match(OPEN_PERIODS)
    ?.find((name) => name !== given && name.startsWith(`${decade}0_${decade}`));
}

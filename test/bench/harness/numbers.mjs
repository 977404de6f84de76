/** @param {readonly number[]} numbers */
export function getMedian(numbers) {
  return getShare(numbers, 0.5);
}

/**
 * The value that this share of the numbers does not exceed.
 *
 * @param {readonly number[]} numbers
 * @param {number} share
 */
export function getShare(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

let most_rounds = Infinity;

/** @param {number} rounds maximum number of rounds, for a quick check that everything works */
export function shorten(rounds) {
  most_rounds = rounds;
}

/**
 * Runs all in turn, so a busy moment of the machine affects them alike. A first round warms up and does not
 * count; there is none if a single round is requested.
 *
 * @template {string} Name
 * @param {number} rounds
 * @param {Record<Name, () => Promise<number>>} runs
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function alternate(rounds, runs) {
  rounds = Math.min(rounds, most_rounds);
  const names = /** @type {Name[]} */ (Object.keys(runs));
  const measured = /** @type {Record<Name, number[]>} */ (
    Object.fromEntries(names.map((name) => [name, []]))
  );
  for (let round = rounds === 1 ? 1 : 0; round <= rounds; round += 1) {
    for (const name of names) {
      const value = await runs[name]();
      if (round > 0) measured[name].push(value);
    }
  }
  return measured;
}

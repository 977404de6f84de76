/* oxlint-disable no-console -- a command tells */
export function tell(text) {
  console.log(text);
}

/** Looks at shops that meet nothing of what people do: left out of what is told, not of the hash. */
const BACKGROUND = /\/receipts\?|\/listings\/batch|state=(draft|inactive|expired|sold_out|active)&/;

/** One seed: how to live it again, what was found, and with `is_traced` all that happened. */
export function tellSeed({ seed, found, hash, lines, without, planted, plan }, { is_traced }) {
  if (is_traced) {
    if (plan) tell(`Planned: ${JSON.stringify(plan)}`);
    const shown = listShown(lines);
    for (const line of shown) tell(line);
  }
  const left_out = without.length > 0 ? ` --without ${without.join(',')}` : '';
  const fault = planted ? ` --with ${planted}` : '';
  for (const what of found) tell(`seed ${seed}: ${what}`);
  if (found.length > 0) tell(`Again: npm run sim -- --seed ${seed}${fault}${left_out} --trace`);
  tell(`hash ${hash}`);
}

/** A look and its answer have the same number. */
function listShown(lines) {
  const left_out = new Set(
    lines.flatMap((line) => (BACKGROUND.test(line) ? (/ (\S+) +→ (\d+) /.exec(line)?.[2] ?? []) : [])),
  );
  return lines.filter(
    (line) => !/ (begins|has done) none$/.test(line) && !left_out.has(/ [→←×] (\d+)/.exec(line)?.[1]),
  );
}

export function toLastLine(lines, took_ms) {
  const sum = (name) => lines.reduce((total, line) => total + line[name], 0);
  const hours = sum('virtual_hours');
  const found = lines.filter((line) => line.found.length > 0).length;
  const cpu_s = sum('cpu_ms') / 1000;
  return [
    `seeds ${lines.length}`,
    `virtual hours ${Math.round(hours)}`,
    `calls ${sum('calls')}`,
    `requests ${sum('requests')}`,
    `faults ${sum('faults')}`,
    `crashes ${sum('crashes')}`,
    `processor ${((cpu_s / hours) * 24).toFixed(2)} s a virtual day`,
    `took ${Math.round(took_ms / 1000)} s`,
    `found ${found}`,
  ].join(', ');
}

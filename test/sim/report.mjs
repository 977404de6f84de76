/* oxlint-disable no-console -- a command tells */
export function print(text) {
  console.log(text);
}

/** Polls of shops that are unrelated to people's actions: omitted from the trace, not from the hash. */
const BACKGROUND = /\/receipts\?|\/listings\/batch|state=(draft|inactive|expired|sold_out|active)&/;

/** One seed: how to run it again, its findings, and with `is_traced` everything that happened. */
export function reportSeed(
  { seed, found, hash, lines, without, planted, plan },
  { is_traced, hours, is_twice },
) {
  if (is_traced) {
    if (plan) for (const line of listPlanned(plan)) print(line);
    const shown = listShown(lines);
    for (const line of shown) print(line);
  }
  for (const what of found) print(`seed ${seed}: ${what}`);
  if (found.length > 0) print(`Again: ${buildCommand({ seed, hours, planted, without, is_twice })}`);
  print(`hash ${hash}`);
}

/** Findings that did not recur when the seed was run again to shrink it. */
export function reportUnrepeated({ seed, found, without }, { hours, planted, is_twice }) {
  for (const what of found) print(`seed ${seed}: ${what}`);
  print('Lived once more in a process of its own, it did not come again.');
  print(`Again: ${buildCommand({ seed, hours, planted, without, is_twice })}`);
}

function buildCommand({ seed, hours, planted, without, is_twice }) {
  return [
    `npm run sim -- --seed ${seed}`,
    ...(hours === undefined ? [] : [`--hours ${hours}`]),
    ...(planted ? [`--with ${planted}`] : []),
    ...(without.length > 0 ? [`--without ${without.join(',')}`] : []),
    ...(is_twice ? ['--twice'] : []),
    '--trace',
  ].join(' ');
}

/** Nothing is included after this: parts left out of a plan are moved beyond it. */
const NEVER_MS = 1e11;

/** The plan as drawn, one line for each program, deed and trouble, by the names that --without accepts. */
function listPlanned(plan) {
  const lines = [];
  const settings = [];
  for (const [name, value] of Object.entries(plan)) {
    if (!Array.isArray(value)) settings.push(`${name} ${toWords(value)}`);
    else for (const [index, item] of value.entries()) lines.push(...listPart(`${name}.${index}`, item));
  }
  return [`Planned: ${settings.join(', ')}`, ...lines.map((line) => `  ${line}`), ''];
}

function listPart(name, item) {
  if (typeof item === 'number') return item < NEVER_MS ? [`${name} at ${toTime(item)}`] : [];
  if (item.at_ms >= NEVER_MS || item.kind === 'none') return [];
  const parts = Object.entries(item).filter(([, value]) => Array.isArray(value));
  const own = Object.entries(item).filter(([, value]) => !Array.isArray(value));
  const words = own.map(([key, value]) =>
    /^(at|after|lasts|down|learns_after)_ms$/.test(key)
      ? `${key.replace('_ms', '').replace('_', ' ')} ${toTime(value)}`
      : `${key} ${toWords(value)}`,
  );
  return [
    `${name}: ${words.join(', ')}`,
    ...parts.flatMap(([key, list]) =>
      list.flatMap((one, index) => listPart(`${name}.${key}.${index}`, one)).map((line) => `  ${line}`),
    ),
  ];
}

function toWords(value) {
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${key} ${toWords(one)}`)
    .join(' ');
}

/** Hours, minutes and seconds. */
function toTime(passed_ms) {
  const s = Math.floor(passed_ms / 1000);
  return [s / 3600, (s / 60) % 60, s % 60].map(toTwoDigits).join(':');
}

function toTwoDigits(number) {
  return String(Math.floor(number)).padStart(2, '0');
}

/** A poll and its answer have the same number. */
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

import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { normalize } from '../../text/normalize.js';

/**
 * Converts a digital file's name to the form the marketplace accepts: 3 to 70 letters, digits, periods, hyphens and
 * underscores. Keeps the extension.
 */
function toFileName(name: string): string {
  const match = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(normalize(name, 'NFKD'));
  const ending = match?.[2] ?? '';
  const stem = (match?.[1] ?? '')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '');
  const full = `${(stem || 'file').slice(0, MAX_CHARS - ending.length)}${ending}`;
  return full.length >= 3 ? full : `file-${full}`;
}

/** Distinct names of several files: a derived name that is taken gets a number. */
export function toFileNames(files: readonly { name: string | undefined; filename: string }[]): string[] {
  const taken = new Set(files.flatMap(({ name }) => (name === undefined ? [] : [name.toLowerCase()])));
  return files.map(({ name, filename }) => {
    if (name !== undefined) return name;
    const derived = toFileName(filename);
    const dot = derived.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [derived.slice(0, dot), derived.slice(dot)] : [derived, ''];
    let free = derived;
    for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
      const number = `-${count}`;
      free = `${stem.slice(0, MAX_CHARS - number.length - ending.length)}${number}${ending}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
}

const MAX_CHARS = MARKETPLACE_FACTS.digital_file_name_max_chars;

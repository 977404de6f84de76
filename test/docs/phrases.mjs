/*
 * Counts phrases that read as if translated, in comments and Markdown, for each folder: `node test/docs/phrases.mjs [commit]`.
 * With a commit, counts in its files. Strings are not counted.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A native engineer writes some of them now and then, so only the change of a count says something. */
const PATTERNS = {
  'tell, told (programs)': /\b(tell|tells|told|telling)\b/gi,
  'where it/that …s (= if)':
    /\bwhere (it|that|they|one|there|none|nothing) (costs?|fails?|is|are|has|have|does|was)\b/gi,
  'what … has …ed': /\bwhat (a|an|the|it|that|this|they) [\w' ]{0,30}(has|have|had) \w+(ed|en)\b/gi,
  'hands, by hand': /\b(by hand|(other|another|seller's|someone's|foreign) hands?)\b/gi,
  'as it is/stands/came': /\bas (it|they) (is|are|was|were|stands?|came?|comes)\b/gi,
  'is none of, what came of it': /\b(is|are) none of\b|\bwhat came of it\b/gi,
  'is no X of': /\bis no \w+ of\b/gi,
  'alone (= only)': /\balone\b/gi,
  'else (adverb)': /\b(,|;|and|or) else\b|, else\b/gi,
  'Of a/the …, fragment': /(?<=^|[.:] )Of (a|an|the|each|all) /gm,
  'stands, lies': /\b(stands?|lies) (in|at|on|under|beside|there|behind|nowhere)\b/gi,
  'any more, anew': /\bany ?more\b|\banew\b/gi,
  beside: /\bbeside\b/gi,
  'look, looks (noun)': /\b(a|the|each|every|one|two|this|that|next|last|by|no) looks?\b(?! (like|at|up))/gi,
  'hear, heard': /\b(hears?|heard)\b/gi,
  'meanwhile, by then/now': /\b(meanwhile|by then|by now)\b/gi,
  'so/as long, so/as many': /\b(so|as) (long|many|much|few)\b(?! as)/gi,
  mend: /\bmend(s|ed|ing)?\b/gi,
  'take up, take over': /\b(takes?|took|taken|taking) (up|over)\b/gi,
  'put live, there already': /\bputs? (it |them )?live\b|\b(there|here) already\b/gi,
  'seal, sealed': /\b(seals?|sealed|sealing)\b(?![_.])/gi,
  'headless What …': /(?<=^|[.:] )What (?!is \w+\?)[a-z][^.?\n]*\.(?=\s|$)/gm,
};

/** Never right: phrases.test.ts refuses them. */
export const NEVER = [PATTERNS['is none of, what came of it'], PATTERNS['headless What …']];

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** Files of a commit, or of the working tree, with the texts of their comments; of Markdown everything outside code. */
export function* readProse(commit) {
  const files = git(...(commit ? ['ls-tree', '-r', '--name-only', commit] : ['ls-files'])).split('\n');
  for (const file of files) {
    const [, folder] = /^(schemas|src|tools|test)\/.*\.(?:tsx?|mjs|md)$/.exec(file) ?? [];
    if (!folder || /docs\/(messages\.md|phrases\.)/.test(file)) continue;
    const text = commit ? git('show', `${commit}:${file}`) : readFileSync(file, 'utf8');
    yield { file, folder: file.startsWith('src/docs/') ? 'src/docs' : folder, prose: toProse(file, text) };
  }
}

/** Comments one per line, without their marks. */
function toProse(file, text) {
  if (file.endsWith('.md')) return text.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '`');
  const comments = text.match(/(?<=^|[\s({[,;])(\/\*[^]*?\*\/|\/\/ [^\n]*(\n[ \t]*\/\/ [^\n]*)*)/g) ?? [];
  return comments
    .map((comment) =>
      comment
        .replaceAll(/^[ \t]*(\/\*+|\*+\/|\*|\/\/)|\*\/$/gm, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .join('\n');
}

function print(commit) {
  const counts = {};
  for (const { folder, prose } of readProse(commit)) {
    for (const [name, pattern] of Object.entries({ ...PATTERNS, '(words in all)': /\b[a-z']+\b/gi })) {
      counts[name] ??= { schemas: 0, src: 0, 'src/docs': 0, tools: 0, test: 0, all: 0 };
      const found = prose.match(pattern)?.length ?? 0;
      counts[name][folder] += found;
      counts[name].all += found;
    }
  }
  // oxlint-disable-next-line no-console
  console.table(counts);
}

if (process.argv[1]?.endsWith('phrases.mjs')) print(process.argv[2]);

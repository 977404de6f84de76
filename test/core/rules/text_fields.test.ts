import { describe, expect, it } from 'vitest';
import { buildDigital, buildPhysical, change, listProblems } from './sample.js';

/*
 * Texts, at their limits from both sides, in several scripts. A character is a code point: a mug emoji is one,
 * and a family of four is seven.
 */

type Row = {
  field: string;
  path: string;
  good: readonly (readonly [name: string, value: unknown])[];
  bad: readonly (readonly [name: string, value: unknown, message: string])[];
};

const FAMILY = ['👨', '👩', '👧', '👦'].join('\u200d');
const MUG = '🍵';
const E_ACUTE = 'e\u0301';
const COMPOSED = '\u00e9';
const BOLD_X = '𝕏';
const OF_TITLES = 'use only letters, numbers, punctuation, mathematical symbols, spaces, and ™ © ®';
const OF_TAGS = "use only letters, numbers, spaces, and - ' ™ © ®";
const OF_WORDS = 'use only letters, numbers, and spaces';
const OF_FILE_NAMES =
  'use only letters A to Z, digits, periods, hyphens, and underscores (no spaces, no parentheses)';

const ROWS: readonly Row[] = [
  {
    field: 'listing.title',
    path: 'listing.title',
    good: [
      ['140 letters', 'a'.repeat(140)],
      ['140 ideographs', '器'.repeat(140)],
      ['140 letters outside the first plane, 280 UTF-16 units', BOLD_X.repeat(140)],
      ['140 letters with accents of their own, 280 code points that compose to 140', E_ACUTE.repeat(140)],
      ['Japanese with its punctuation', '手作りのマグカップ「青」・陶器'],
      ['Arabic without vowel signs', 'كوب خزفي مصنوع يدويًا'.normalize('NFC').replace(/\p{M}/gu, '')],
      ['Hebrew, Greek, Cyrillic, Korean', 'ספל Κούπα Кружка 머그컵'],
      ['Korean as single jamo, which compose', '머그컵'.normalize('NFD')],
      ['each of % : & + once, and ™ © ®', '50% off: mugs & bowls + plates ™ © ®'],
      ['two full-width percent signs, which are another character', '５％ ％'],
      ['mathematical symbols', '3 × 4 ≠ 7 ∑ ±'],
      ['spaces of other kinds', 'tea\u00a0mug\u3000blue'],
      ['one letter', 'M'],
    ],
    bad: [
      ['141 letters', 'a'.repeat(141), 'has 141 characters; at most 140 are allowed'],
      [
        '141 letters outside the first plane',
        BOLD_X.repeat(141),
        'has 141 characters; at most 140 are allowed',
      ],
      ['an emoji', `Mug ${MUG}`, `has characters that are not allowed: ${MUG} (U+1F375); ${OF_TITLES}`],
      [
        'an emoji with joiners, each part by its name',
        FAMILY,
        `has characters that are not allowed: 👨 (U+1F468), U+200D, 👩 (U+1F469), 👧 (U+1F467), 👦 (U+1F466); ${OF_TITLES}`,
      ],
      [
        'a mark that composes with nothing',
        'x\u0302',
        `has characters that are not allowed: U+0302; ${OF_TITLES}`,
      ],
      [
        'Arabic vowel signs, which the marketplace does not take',
        'كُوب',
        `has characters that are not allowed: U+064F; ${OF_TITLES}`,
      ],
      ['a currency', '5 $', `has characters that are not allowed: $ (U+0024); ${OF_TITLES}`],
      ['a line break', 'a\nb', `has characters that are not allowed: U+000A; ${OF_TITLES}`],
      ['a tab', 'a\tb', `has characters that are not allowed: U+0009; ${OF_TITLES}`],
      ['an override of direction', 'a\u202eb', `has characters that are not allowed: U+202E; ${OF_TITLES}`],
      ['a zero-width space', 'a\u200bb', `has characters that are not allowed: U+200B; ${OF_TITLES}`],
      [
        'a fraction and a square',
        '½²',
        `has characters that are not allowed: ½ (U+00BD), ² (U+00B2); ${OF_TITLES}`,
      ],
      ['two %', '1% 2%', 'has % more than once; use each of % : & + at most once'],
      ['two :', 'a: b:', 'has : more than once; use each of % : & + at most once'],
      ['two &', 'a & b & c', 'has & more than once; use each of % : & + at most once'],
      ['two +', '1+1+1', 'has + more than once; use each of % : & + at most once'],
      ['two of several', 'a & b & c: d:', 'has : and & more than once; use each of % : & + at most once'],
      ['nothing', '', 'is empty'],
      ['spaces alone', ' \u3000', 'is empty'],
      [
        'everything at once',
        `${MUG}%%${'a'.repeat(140)}`,
        `has 143 characters; at most 140 are allowed\nhas characters that are not allowed: ${MUG} (U+1F375); ${OF_TITLES}\nhas % more than once; use each of % : & + at most once`,
      ],
      ['no text', 5, 'must be a string, not number'],
      ['no title', undefined, 'is required'],
    ],
  },
  {
    field: 'listing.description',
    path: 'listing.description',
    good: [
      ['lines', 'One\n\nTwo\r\nThree'],
      ['emoji, marks and any script', `${FAMILY} كُوب मिट्टी का कप ${E_ACUTE}`],
      ['102,400 characters outside the first plane', MUG.repeat(102_400)],
      ['tags with text in them', '<p>One</p>'],
      ['what only looks like a tag', '<3'],
    ],
    bad: [
      ['nothing', '', 'is empty'],
      ['line breaks alone', '\n\n', 'is empty'],
      ['102,401 characters', 'a'.repeat(102_401), 'has 102401 characters; at most 102400 are allowed'],
      ['tags alone', '<p><br></p>', 'contains only HTML tags, which are removed; write plain text'],
      [
        'a script alone',
        '<script>alert(1)</script>',
        'contains only HTML tags, which are removed; write plain text',
      ],
      ['none', undefined, 'is required'],
    ],
  },
  {
    field: 'listing.tags',
    path: 'listing.tags[0]',
    good: [
      ['20 letters', 'a'.repeat(20)],
      ['20 letters outside the first plane', BOLD_X.repeat(20)],
      ['20 accents of their own', E_ACUTE.repeat(20)],
      ['a hyphen, an apostrophe, ™ © ®', "mother's-day ™©®"],
      ['Japanese', '陶器のマグカップ'],
      ['Arabic', 'كوب شاي'],
    ],
    bad: [
      ['21 letters', 'a'.repeat(21), 'has 21 characters; at most 20 are allowed'],
      ['21 letters outside the first plane', BOLD_X.repeat(21), 'has 21 characters; at most 20 are allowed'],
      ['a comma', 'a,b', `has characters that are not allowed: , (U+002C); ${OF_TAGS}`],
      ['a hash sign', '#mug', `has characters that are not allowed: # (U+0023); ${OF_TAGS}`],
      ['a typographic apostrophe', 'mother’s', `has characters that are not allowed: ’ (U+2019); ${OF_TAGS}`],
      [
        'an emoji with joiners',
        '👨\u200d🍳',
        `has characters that are not allowed: 👨 (U+1F468), U+200D, 🍳 (U+1F373); ${OF_TAGS}`,
      ],
      ['a leading hyphen', '-mug', 'starts with -; it must start with a letter or number'],
      ['a leading hyphen behind a space', ' -mug', 'starts with -; it must start with a letter or number'],
      ['a leading apostrophe', "'mug", "starts with '; it must start with a letter or number"],
      ['nothing', '', 'is empty'],
      ['null', null, 'must be a string, not null'],
    ],
  },
  {
    field: 'listing.materials',
    path: 'listing.materials[0]',
    good: [
      ['letters, numbers, spaces', 'Stoneware 2'],
      ['any length', 'a'.repeat(200)],
      ['Chinese', '陶土'],
      ['an accent of its own', 'ce\u0301ramique'],
    ],
    bad: [
      ['a hyphen', 'air-dry clay', `has characters that are not allowed: - (U+002D); ${OF_WORDS}`],
      ['a percent sign', '50%', `has characters that are not allowed: % (U+0025); ${OF_WORDS}`],
      ['a trade mark', 'Clay™', `has characters that are not allowed: ™ (U+2122); ${OF_WORDS}`],
      ['nothing', ' ', 'is empty'],
    ],
  },
  {
    field: 'listing.styles',
    path: 'listing.styles[0]',
    good: [
      ['45 letters', 'a'.repeat(45)],
      ['45 letters outside the first plane', BOLD_X.repeat(45)],
      ['Greek', 'Ρουστίκ'],
    ],
    bad: [
      ['46 letters', 'a'.repeat(46), 'has 46 characters; at most 45 are allowed'],
      ['a hyphen', 'art-deco', `has characters that are not allowed: - (U+002D); ${OF_WORDS}`],
      ['nothing', '', 'is empty'],
    ],
  },
  {
    field: 'listing.sku',
    path: 'listing.sku',
    good: [
      ['512 letters', 'a'.repeat(512)],
      ['512 emoji', MUG.repeat(512)],
      ['nothing, which is no SKU', ''],
    ],
    bad: [
      ['513 letters', 'a'.repeat(513), 'has 513 characters; at most 512 are allowed'],
      ['513 emoji', MUG.repeat(513), 'has 513 characters; at most 512 are allowed'],
      [
        '514 code points that would compose to 257: a SKU is sent as it is',
        E_ACUTE.repeat(257),
        'has 514 characters; at most 512 are allowed',
      ],
      ['a number', 17, 'must be a string, not number'],
    ],
  },
  {
    field: 'personalization.instructions',
    path: 'personalization.instructions',
    good: [
      ['256 letters', 'a'.repeat(256)],
      ['256 emoji', MUG.repeat(256)],
      ['nothing', ''],
    ],
    bad: [
      ['257 letters', 'a'.repeat(257), 'has 257 characters; at most 256 are allowed'],
      ['257 emoji', MUG.repeat(257), 'has 257 characters; at most 256 are allowed'],
      ['37 families, 259 code points', FAMILY.repeat(37), 'has 259 characters; at most 256 are allowed'],
    ],
  },
  {
    field: 'variations.offerings[].sku',
    path: 'variations.offerings[0].sku',
    good: [
      ['512 letters', 'a'.repeat(512)],
      ['nothing', ''],
    ],
    bad: [['513 letters', 'a'.repeat(513), 'has 513 characters; at most 512 are allowed']],
  },
];

const DIGITAL_ROWS: readonly Row[] = [
  {
    field: 'digital_files[].name',
    path: 'digital_files[0].name',
    good: [
      ['3 characters', 'a.b'],
      ['70 characters', 'a'.repeat(70)],
      ['letters, numbers, periods, hyphens, underscores', 'My_Pattern-2.v1.pdf'],
      ['none: it is made from the file', undefined],
    ],
    bad: [
      ['2 characters', 'ab', 'has 2 characters; must have 3 to 70'],
      ['71 characters', 'a'.repeat(71), 'has 71 characters; must have 3 to 70'],
      ['a space', 'my file.pdf', `has characters that are not allowed: U+0020; ${OF_FILE_NAMES}`],
      [
        'parentheses',
        'file(1).pdf',
        `has characters that are not allowed: ( (U+0028), ) (U+0029); ${OF_FILE_NAMES}`,
      ],
      [
        'an umlaut',
        'größe.pdf',
        `has characters that are not allowed: ö (U+00F6), ß (U+00DF); ${OF_FILE_NAMES}`,
      ],
      ['a way up', '../up.pdf', `has characters that are not allowed: / (U+002F); ${OF_FILE_NAMES}`],
      ['an emoji', `${MUG}.pdf`, `has characters that are not allowed: ${MUG} (U+1F375); ${OF_FILE_NAMES}`],
    ],
  },
];

describe.each(ROWS.map((row) => [row.field, row] as const))('%s', (_field, { path, good, bad }) => {
  it.each(good)('accepts %s', (_name, value) => {
    expect(listProblems(change(buildPhysical(), path, value))).toEqual([]);
  });
  it.each(bad)('refuses %s', (_name, value, message) => {
    const lines = message.split('\n').map((line) => `${path}: ${line}`);
    expect(listProblems(change(buildPhysical(), path, value))).toEqual(lines);
  });
});

describe.each(DIGITAL_ROWS.map((row) => [row.field, row] as const))('%s', (_field, { path, good, bad }) => {
  it.each(good)('accepts %s', (_name, value) => {
    expect(listProblems(change(buildDigital(), path, value))).toEqual([]);
  });
  it.each(bad)('refuses %s', (_name, value, message) => {
    expect(listProblems(change(buildDigital(), path, value))).toEqual([`${path}: ${message}`]);
  });
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`);

describe.each([
  ['listing.tags', 13],
  ['listing.materials', 13],
  ['listing.styles', 2],
] as const)('%s', (path, most) => {
  const what = path.split('.')[1];

  it('is null, absent or empty if there are none', () => {
    for (const value of [null, undefined, []])
      expect(listProblems(change(buildPhysical(), path, value))).toEqual([]);
  });
  it(`accepts ${most} and refuses ${most + 1}`, () => {
    expect(listProblems(change(buildPhysical(), path, words(most)))).toEqual([]);
    expect(listProblems(change(buildPhysical(), path, words(most + 1)))).toEqual([
      `${path}: has ${most + 1} ${what}; at most ${most} are allowed`,
    ]);
  });
  it('reports what is wrong with each of them, even if there are too many', () => {
    const many = [...words(most), '!'];
    expect(listProblems(change(buildPhysical(), path, many))).toEqual([
      `${path}: has ${most + 1} ${what}; at most ${most} are allowed`,
      expect.stringMatching(
        new RegExp(`^${path}\\[${most}\\]: has characters that are not allowed: ! \\(U\\+0021\\)`),
      ),
    ]);
  });
  it('reports that a list is required instead of a comma-separated text', () => {
    expect(listProblems(change(buildPhysical(), path, 'one, two'))).toEqual([
      `${path}: must be an array, not a string`,
    ]);
  });
});

it('listing.tags: accepts the example of the interface', () => {
  const tags = ['a', 'b', 'c', 'twenty-three characters'];
  expect(listProblems(change(buildPhysical(), 'listing.tags', tags))).toEqual([
    'listing.tags[3]: has 23 characters; at most 20 are allowed',
  ]);
});

it('composes characters before counting them', () => {
  expect(E_ACUTE).not.toBe(COMPOSED);
  expect(E_ACUTE.normalize('NFC')).toBe(COMPOSED);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText, toSource } from '../../../src/core/listings/rules/html.js';

const strip = (text: string) => toPlainText(text).text;

describe('tags in toPlainText', () => {
  it.each([
    ['text', 'One\n\nTwo\r\n three ', 'One\n\nTwo\r\n three '],
    ['less than', '5 < 6, 5<6, <3 and a > b', '5 < 6, 5<6, <3 and a > b'],
    ['what is never closed', 'x<y and I <b', 'x<y and I <b'],
    ['sizes in brackets', 'Sizes: <S>, <M>, <L>, <XL>', 'Sizes: <S>, <M>, <L>, <XL>'],
    ['names in brackets', '<Name>, <Small> or <a@b.c>, <1 cm>', '<Name>, <Small> or <a@b.c>, <1 cm>'],
    ['an inequality with names', 'x<y and z>w', 'x<y and z>w'],
    ['other scripts and joiners', '<b>👩‍🍳</b> <i>कप</i> كُوب', '👩‍🍳 कप كُوب'],
  ])('keeps %s', (_name, text, kept) => {
    expect(strip(text)).toBe(kept);
  });
  it.each([
    ['tags, not their text', '<b>Bold</b> and <i class="x>y">italic</i>', 'Bold and italic'],
    ['paragraphs onto lines', '<p>One</p><p>Two</p><ul><li>Three</li></ul>', 'One\nTwo\nThree'],
    ['breaks', 'One<br>Two<br/>Three<BR />\nFour', 'One\nTwo\nThree\nFour'],
    ['scripts and styles with what is in them', 'a<script>alert("<b>")</script><style>p{}</style>b', 'ab'],
    ['comments and declarations', 'a<!-- <b> -->b<!doctype html><?php x ?>c', 'abc'],
    ['tags without spaces', '<svg/onload=alert(1)>a', 'a'],
    ['tags inside of text-only elements', '<textarea><b>a</b></textarea><title><i>b</i></title>', 'ab'],
    ['tags in capitals that are closed', '<B>Bold</B><P>One<P>Two<BR>Three', 'Bold\nOne\nTwo\nThree'],
    ['a script with quotation marks and comparisons', `a<script>if (a<b && c == "</x>'") {}</script>b`, 'ab'],
    ['a tag whose quotation mark is never closed', 'a<b title="x>c</b>d', 'acd'],
    ['tags that hide in one another', '<<b>script>alert(1)<</b>/script>', ''],
  ])('removes %s', (_name, text, left) => {
    expect(strip(text)).toEqual(left);
  });

  it('leaves no tag in anything, and nothing more to remove', () => {
    const piece = fc.constantFrom(
      '<',
      '</',
      '>',
      'b',
      'script',
      '!--',
      '-->',
      ' ',
      '/',
      '"',
      "'",
      '=',
      '<b>',
      '\n',
      '<?',
      'é',
      '🍵',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const left = strip(pieces.join(''));
        expect(strip(left)).toBe(left);
        expect(left).not.toMatch(/<(script|b)>/i);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps every text without angle brackets and ampersands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/[<&]/.test(text));
        expect(strip(text)).toBe(text);
      }),
    );
  });

  it('removes tags nested absurdly deep', () => {
    expect(strip(`${'<'.repeat(30)}b${'>b'.repeat(30)}`)).not.toMatch(/<[a-z/!?]/i);
  });

  it.each([
    ['openings that are left over', `${'<'.repeat(12)}${'b>'.repeat(12)} ${'<'.repeat(100_000)} `],
    ['comments without an end', `${'<!--'.repeat(50_000)}>`],
    ['tags without an end', `${'<b '.repeat(50_000)}>`],
    ['quotation marks without an end', `${`<b "'"'"`.repeat(20_000)}>`],
    ['scripts without an end', '<script>'.repeat(20_000)],
    ['declarations', '<!doctype '.repeat(20_000)],
    ['closings', '</b'.repeat(50_000)],
  ])('finishes with 100,000 characters of %s', (_name, text) => {
    const left = strip(text);
    expect(strip(left)).toBe(left);
  });

  it('finishes with 200,000 nested elements', () => {
    expect(strip(`${'<div>'.repeat(200_000)}a`)).toBe('a');
  });
});

describe('toPlainText', () => {
  it.each([
    [
      'named ones',
      'Caf&eacute;&nbsp;&mdash; 5&deg;, &frac12; &amp; more',
      'Café\u00a0— 5°, ½ & more',
      '&eacute;',
    ],
    ['numbered ones', '&#39;a&#x27; &#128512;', "'a' 😀", '&#39;'],
    ['an encoded tag, to the text that it stands for', '&lt;b&gt;x&lt;/b&gt;', '<b>x</b>', '&lt;'],
    ['a doubly encoded one once', '&amp;lt;script&amp;gt; &amp;nbsp;', '&lt;script&gt; &nbsp;', '&amp;'],
    [
      'none that is unknown or unfinished',
      'R&D; &unknown; AT&T &nbsp &copy',
      'R&D; &unknown; AT&T &nbsp &copy',
      undefined,
    ],
  ])('decodes character references: %s', (_name, given, text, entity) => {
    expect(toPlainText(given)).toEqual({ text, removed: [], isTextRemoved: false, entity });
  });

  it('reports the tags it removes', () => {
    expect(toPlainText('<p>One</p><p>Two <b>b</b></p>')).toEqual({
      text: 'One\nTwo b',
      removed: ['<p>', '</p>', '<b>', '</b>'],
      isTextRemoved: false,
      entity: undefined,
    });
  });

  it.each(['a<!-- note -->b', 'a<style>p { color: red }</style>b'])(
    'reports text it removes: %s',
    (given) => {
      expect(toPlainText(given)).toMatchObject({ text: 'ab', isTextRemoved: true });
    },
  );

  it('returns exactly the text that toSource encoded', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      'b',
      'p',
      '/',
      '&',
      'amp;',
      'lt;',
      '#39;',
      'nbsp;',
      ' ',
      '!--',
      '-->',
      '"',
      'S',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const plain = pieces.join('');
        expect(toPlainText(toSource(plain)).text).toBe(plain);
      }),
      { numRuns: 2_000 },
    );
  });
});

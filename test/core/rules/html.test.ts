import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripHtml } from '../../../src/core/listings/rules/html.js';

describe('stripHtml', () => {
  it.each([
    ['text', 'One\n\nTwo\r\n three ', 'One\n\nTwo\r\n three '],
    ['less than', '5 < 6, 5<6, <3 and a > b', '5 < 6, 5<6, <3 and a > b'],
    ['what is never closed', 'x<y and I <b', 'x<y and I <b'],
    ['entities', '&lt;b&gt; &amp; &#128512;', '&lt;b&gt; &amp; &#128512;'],
    ['other scripts and joiners', '<b>👩‍🍳</b> <i>कप</i> كُوب', '👩‍🍳 कप كُوب'],
  ])('keeps %s', (_name, text, kept) => {
    expect(stripHtml(text)).toBe(kept);
  });
  it.each([
    ['tags, not their text', '<b>Bold</b> and <i class="x>y">italic</i>', 'Bold and italic'],
    ['paragraphs onto lines', '<p>One</p><p>Two</p><ul><li>Three</li></ul>', 'One\nTwo\nThree'],
    ['breaks', 'One<br>Two<br/>Three<BR />\nFour', 'One\nTwo\nThree\nFour'],
    ['scripts and styles with what is in them', 'a<script>alert("<b>")</script><style>p{}</style>b', 'ab'],
    ['comments and declarations', 'a<!-- <b> -->b<!doctype html><?php x ?>c', 'abc'],
    ['tags without spaces', '<svg/onload=alert(1)>a', 'a'],
    ['tags inside of text-only elements', '<textarea><b>a</b></textarea><title><i>b</i></title>', 'ab'],
    ['tags that hide in one another', '<<b>script>alert(1)<</b>/script>', ''],
  ])('takes out %s', (_name, text, left) => {
    expect(stripHtml(text)).toEqual(left);
  });

  it('leaves no tag in anything, and nothing more to take out', () => {
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
        const left = stripHtml(pieces.join(''));
        expect(stripHtml(left)).toBe(left);
        expect(left).not.toMatch(/<(script|b)>/i);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps every text that has no angle bracket', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('<'));
        expect(stripHtml(text)).toBe(text);
      }),
    );
  });

  it('takes out tags that are nested absurdly deep', () => {
    expect(stripHtml(`${'<'.repeat(30)}b${'>b'.repeat(30)}`)).not.toMatch(/<[a-z/!?]/i);
  });

  it('comes to an end with 200,000 elements inside each other', () => {
    expect(stripHtml(`${'<div>'.repeat(200_000)}a`)).toBe('a');
  });
});

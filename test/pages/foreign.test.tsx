import { describe, expect, it } from 'vitest';
import { Foreign, renderPart } from '../../src/pages/index.js';

function render(text: string): string {
  return renderPart(<Foreign text={text} />);
}

describe('text from outside', () => {
  it('is shown as text, even if it looks like HTML', () => {
    expect(render(`<script>alert("1")</script> & 'more'`)).toBe(
      `<bdi>&lt;script>alert(&quot;1&quot;)&lt;/script> &amp; 'more'</bdi>`,
    );
  });

  it('shows direction marks and invisible characters', () => {
    expect(render('mug\u202egpj.\u2066exe\u0007')).toBe(
      '<bdi>mug<span class="unseen">U+202E</span>gpj.<span class="unseen">U+2066</span>exe<span class="unseen">U+0007</span></bdi>',
    );
    expect(render('half \ud83d of a pair')).toBe(
      '<bdi>half <span class="unseen">U+D83D</span> of a pair</bdi>',
    );
  });

  it('keeps lines, Persian joiners and composed emoji', () => {
    const text = 'one\ntwo می‌خواهم 👩‍👩‍👧';
    expect(render(text)).toBe(`<bdi>${text}</bdi>`);
  });
});

import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../../src/marketplace/map/entities.js';

describe('text in an answer', () => {
  it.each([
    ['no entities', 'no entities'],
    ['&amp;&lt;&gt;&quot;&apos;&#39;&nbsp;', "&<>\"''\u00a0"],
    ['&AMP; &#x1F375; &#9749; &#X41;', '& 🍵 ☕ A'],
    ['&amp;lt;', '&lt;'],
    ['R&D; AT&T & &unknown; &#; &#x; &amp', 'R&D; AT&T & &unknown; &#; &#x; &amp'],
    ['&#0; &#xD800; &#x110000; &#99999999;', '&#0; &#xD800; &#x110000; &#99999999;'],
  ])('is decoded: %s', (encoded, text) => {
    expect(decodeEntities(encoded)).toBe(text);
  });
});

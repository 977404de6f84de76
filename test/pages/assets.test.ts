import { describe, expect, it } from 'vitest';
import { buildAsset, STYLE } from '../../src/pages/index.js';

describe('an asset', () => {
  it('has another path if its bytes change', () => {
    const paths = ['a', 'b'].map((text) => buildAsset('style.css', Buffer.from(text)).path);
    expect(paths[0]).toMatch(/^\/assets\/style-[0-9a-f]{12}\.css$/);
    expect(paths[0]).not.toBe(paths[1]);
  });

  it('has a type that pages refer to', () => {
    expect(() => buildAsset('notes.txt', Buffer.from(''))).toThrow('notes.txt');
  });
});

describe('the style', () => {
  it('consists of all its parts, the colors first', () => {
    const text = STYLE.body.toString();
    expect(text.indexOf('--paper:')).toBeLessThan(text.indexOf('.card'));
    expect(text).toContain('input');
  });
});

import { expect, it } from 'vitest';
import { parseUrl } from '../../../src/core/text/parse_url.js';

it.each([
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['https://例え.テスト/写真.jpg', 'https://xn--r8jz45g.xn--zckzah/%E5%86%99%E7%9C%9F.jpg'],
  ['https://', undefined],
  ['a.jpg', undefined],
])('parses %j to the same address each time', (text, href) => {
  const found = new Set(Array.from({ length: 100_000 }, () => parseUrl(text)?.href));
  expect([...found]).toEqual([href]);
});

it('resolves an address of a page against that of the page', () => {
  expect(parseUrl('../ä.jpg', 'https://shop.example/a/b')?.href).toBe('https://shop.example/%C3%A4.jpg');
});

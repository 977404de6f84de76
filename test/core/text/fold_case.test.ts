import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../src/core/text/fold_case.js';

describe('foldCase', () => {
  it.each([
    ['STRASSE', 'straße'],
    ['IŞIK', 'ışık'],
    ['İZMİR', 'izmir'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδός'.normalize('NFD').replaceAll('\u0301', '')],
    ['Grün', 'GRÜN'.normalize('NFD')],
    ['ﬁne', 'FINE'],
  ])('treats %s and %s as equal', (a, b) => {
    expect(foldCase(a)).toBe(foldCase(b));
  });

  it.each([
    ['rot', 'röt'],
    ['S', 'Ş'],
    ['a b', 'ab'],
  ])('distinguishes %s from %s', (a, b) => {
    expect(foldCase(a)).not.toBe(foldCase(b));
  });
});

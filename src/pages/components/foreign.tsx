/**
 * Lone surrogates, control characters, and invisible characters that change the direction of text or break
 * its lines.
 */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Text from outside: from sellers, buyers, the marketplace. Its direction marks do not affect the text around
 * it, and its invisible characters are shown as code points.
 */
export function Foreign({ text }: { text: string }) {
  const parts = text.split(UNSEEN);
  const unseen = [...text.matchAll(UNSEEN)].map(([char]) => toNumber(char));
  return (
    <bdi>
      {parts.map((part, index) => (
        <>
          {part}
          {unseen[index] !== undefined && <span class="unseen">{unseen[index]}</span>}
        </>
      ))}
    </bdi>
  );
}

function toNumber(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

import { marked, type Tokens } from 'marked';

/** A fenced block: its language and the rest of its info string. */
export type Block = { lang: string; name: string; text: string };

export function listBlocks(markdown: string): Block[] {
  return marked
    .lexer(markdown)
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ lang: info = '', text }) => {
      const [lang = '', name = ''] = info.split(' ');
      return { lang, name, text };
    });
}

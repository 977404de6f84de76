import { Parser } from 'htmlparser2';
import { nextTurn } from '../../async/next_turn.js';

/** Far deeper than workbooks are. The parser's time grows with the square of the depth. */
const MOST_DEPTH = 64;
/** Parsed in one turn of the event loop. */
const PIECE_BYTES = 64 * 1024;

export type XmlHandlers = {
  onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  onText?: (text: string) => void;
  onClose?: (name: string) => void;
  /** Called between two pieces: whether the rest is not needed. */
  isDone?: () => boolean;
};

/**
 * Reads a part of a workbook as a stream; names come without their namespace. Throws for a part that is not UTF-8 or nests
 * too deep, and for one with a document type, which no workbook has and which could declare entities.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  let hasType = false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentagname() {
        depth += 1;
        if (depth > MOST_DEPTH) throw new Error(`an XML part nests deeper than ${MOST_DEPTH}`);
      },
      onopentag: (name, attributes) => handlers.onOpen?.(toLocal(name), attributes),
      ontext: (text) => handlers.onText?.(text),
      onclosetag(name) {
        depth -= 1;
        handlers.onClose?.(toLocal(name));
      },
      onprocessinginstruction(name) {
        if (name.startsWith('!')) hasType = true;
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      parser.write(decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }));
      if (hasType) throw new Error('a workbook with a document type');
      if (handlers.isDone?.() === true) return;
      await nextTurn();
    }
  }
  parser.end(decoder.decode());
}

function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/*
 * JSON as editors keep it, with comments and commas at the end. Members are put in and taken out of the text itself, so
 * that every other character of somebody's file stays.
 */

export type Value = {
  start: number;
  /** Behind the last character. */
  end: number;
  value: unknown;
  /** Of an object, in their order. */
  members?: Member[];
};

export type Member = {
  name: string;
  start: number;
  value: Value;
  /** Where the comma behind it is, when there is one. */
  comma?: number;
};

/** Throws an Error that tells the line. */
export function parseJsonc(text: string): Value {
  const reader = new Reader(text);
  const value = reader.readValue();
  if (reader.skip() < text.length) throw reader.unexpected();
  return value;
}

/** The last of that name, which is the one that counts. */
export function findMember({ members }: Value, name: string): Member | undefined {
  return members?.findLast((member) => member.name === name);
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Past space and comments; answers where that is. */
  skip(): number {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.text)?.[0].length ?? 0;
    return this.#at;
  }

  unexpected(): Error {
    const line = this.text.slice(0, this.#at).split('\n').length;
    return new Error(
      this.#at < this.text.length ? `line ${line} is no JSON` : `it ends in line ${line}, too early for JSON`,
    );
  }

  readValue(): Value {
    const start = this.skip();
    if (this.text[start] === '{') return this.#readObject(start);
    if (this.text[start] === '[') return this.#readArray(start);
    SCALAR.lastIndex = start;
    const scalar = SCALAR.exec(this.text)?.[0];
    if (scalar === undefined) throw this.unexpected();
    const value = this.#parse(scalar);
    this.#at += scalar.length;
    return { start, end: this.#at, value };
  }

  #readObject(start: number): Value {
    const members: Member[] = [];
    this.#at += 1;
    while (!this.#take('}')) {
      if (members.length > 0 && members.at(-1)?.comma === undefined) throw this.unexpected();
      members.push(this.#readMember());
    }
    const value = Object.fromEntries(members.map((member) => [member.name, member.value.value]));
    return { start, end: this.#at, value, members };
  }

  #readMember(): Member {
    const start = this.skip();
    const name = this.readValue().value;
    if (typeof name !== 'string' || !this.#take(':')) throw this.unexpected();
    const value = this.readValue();
    const comma = this.skip();
    return { name, start, value, ...(this.#take(',') && { comma }) };
  }

  #readArray(start: number): Value {
    const values: unknown[] = [];
    this.#at += 1;
    let isMore = true;
    while (!this.#take(']')) {
      if (!isMore) throw this.unexpected();
      values.push(this.readValue().value);
      isMore = this.#take(',');
    }
    return { start, end: this.#at, value: values };
  }

  #take(character: string): boolean {
    if (this.text[this.skip()] !== character) return false;
    this.#at += 1;
    return true;
  }

  #parse(scalar: string): unknown {
    try {
      return JSON.parse(scalar) as unknown;
    } catch {
      throw this.unexpected();
    }
  }
}

// \s takes the byte order mark too, which editors on Windows put in front.
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

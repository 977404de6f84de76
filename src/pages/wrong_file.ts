/** Kinds of files in the words of a person. The first that fits counts. */
const KINDS: readonly [RegExp, string][] = [
  [/^video\//, 'a film'],
  [/^image\/(?:jpeg|png|gif)$/, 'a photo'],
  [/^image\/tiff$/, 'a TIFF picture'],
  [/^image\/bmp$/, 'a BMP picture'],
  [/^image\/svg/, 'an SVG drawing'],
  [/^image\//, 'a picture of another kind'],
  [/^audio\//, 'a sound file'],
  [/^application\/pdf$/, 'a PDF'],
  [/^application\/zip$/, 'a ZIP archive'],
  [/./, 'a file of another kind'],
];

const TYPE = /^is ([a-z]+\/[\w.+-]+)(?=; send )/;
const OTHER_TYPE = /^is .+; send (?:a JPG|an MP4)/;

/**
 * What an upload page says about a file that was refused, as the end of a sentence that begins with its name; undefined when the
 * refusal is not about the file.
 * @param message of the error, such as `file: is video/mp4; send a JPG, PNG or GIF`
 */
export function describeWrongFile(message: string): { problem: string; isOtherType: boolean } | undefined {
  if (!message.startsWith(FIELD)) return undefined;
  const problem = message.slice(FIELD.length);
  return {
    problem: problem.replace(TYPE, (_all, type: string) => `is ${findKind(type)}`),
    isOtherType: OTHER_TYPE.test(problem),
  };
}

function findKind(type: string): string {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? type;
}

/** The field that the refusal of a file names. */
const FIELD = 'file: ';

/** Phrases that are wrong in every comment and document. */
export const NEVER: readonly RegExp[];
/** Texts of comments, a line each, and of Markdown outside code. */
export function readProse(commit?: string): Iterable<{ file: string; folder: string; prose: string }>;

/** Named places of an import at which a crash test may end the process. */
export const IMPORT_POINTS = [
  'import.read',
  'import.media_taken',
  'import.before_commit',
  'import.after_commit',
] as const;
export type ImportPoint = (typeof IMPORT_POINTS)[number];

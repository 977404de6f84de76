/** The suites npm test does not run, because they need a server or take long. */
const NOT_RUN = [
  ['the same store and service on PostgreSQL', 'npm run test:postgres'],
  ['crashes of three instances over it', 'npm run test:crash -- --engine postgres'],
  ['their rolling restart', 'npm run test:instances'],
  ['moves to it and back', 'npm run test:move'],
  ['whole ways through many processes', 'npm run test:long'],
] as const;

/** Prints at the end of a run which suites it skipped: a newcomer's computer needs no server. */
export default function setup(): () => void {
  return () => {
    const suites = NOT_RUN.map(([what, command]) => `${what} (${command})`);
    process.stdout.write(`Not run here: ${suites.join(', ')}.\n`);
  };
}

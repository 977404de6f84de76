/** What npm test does not run, since it needs a server, or takes long. */
const NOT_RUN = [
  ['the same store and service on PostgreSQL', 'npm run test:postgres'],
  ['crashes of three instances over it', 'npm run test:crash -- --engine postgres'],
  ['their rolling restart', 'npm run test:instances'],
  ['moves to it and back', 'npm run test:move'],
  ['whole ways through many processes', 'npm run test:long'],
] as const;

/** Says at the end of a run what it did not try: a newcomer's computer needs no server. */
export default function setup(): () => void {
  return () => {
    const suites = NOT_RUN.map(([what, command]) => `${what} (${command})`);
    process.stdout.write(`Not run here: ${suites.join(', ')}.\n`);
  };
}

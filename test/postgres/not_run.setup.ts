/** Says at the end of a run what it did not try: a newcomer's computer needs no server. */
export default function setup(): () => void {
  return () => {
    process.stdout.write('Not run here: the same store and service on PostgreSQL (npm run test:postgres).\n');
  };
}

/**
 * A program a test needs in addition to the server, if it was found. Without it the test is skipped; with
 * TEST_POSTGRES=required it fails here, so that a complete run cannot pass without the program.
 * @param install the package that contains it
 */
export function requireProgram(
  found: string | undefined,
  { name, install }: { name: string; install: string },
): string | undefined {
  if (found === undefined && process.env['TEST_POSTGRES'] === 'required') {
    throw new Error(`TEST_POSTGRES is required, and ${name} is not here: apt-get install ${install}.`);
  }
  return found;
}

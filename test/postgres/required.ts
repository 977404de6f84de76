/**
 * A program that a test needs beside the server, as it was found. Where it is missing the test is skipped; with TEST_POSTGRES=required it
 * fails here, so that a run that is to have everything is not green without it.
 * @param install what brings it
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

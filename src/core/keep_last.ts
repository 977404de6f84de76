/** Work that answers the same for the same input, of which the last answer is remembered: for what is asked many times in a row. */
export function keepLast<Input extends string | number | undefined, Output>(
  work: (input: Input) => Output,
): (input: Input) => Output {
  let last: { input: Input; output: Output } | undefined;
  return (input) => {
    if (!last || last.input !== input) last = { input, output: work(input) };
    return last.output;
  };
}

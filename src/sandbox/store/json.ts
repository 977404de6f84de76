/** Parses JSON that this store wrote itself, as the type that it was written from. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readJson<Value>(text: string): Value {
  const value: Value = JSON.parse(text);
  return value;
}

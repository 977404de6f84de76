/** What is often known at once. On the way of a small call each promise takes a good part of the whole time. */
export type Awaitable<Value> = Value | Promise<Value>;

/** `value.then(use)`, at once where the value is known; what `use` throws is thrown then. */
export function whenKnown<Value, Made>(
  value: Awaitable<Value>,
  use: (value: Value) => Awaitable<Made>,
): Awaitable<Made> {
  return value instanceof Promise ? value.then(use) : use(value);
}

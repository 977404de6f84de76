/*
 * Answers that come from kept rows stay the same for a long time. A value that is known to be constant is checked once and turned
 * into text once, however often it is asked for.
 */

const CONSTANT = new WeakSet<object>();

/** Freezes the value with all that is in it. From now on it is known to be constant. */
export function keepConstant<Value extends object>(value: Value): Value {
  freeze(value);
  CONSTANT.add(value);
  return value;
}

/** Whether nothing in the value ever changes; false for what only may be so. */
export function isConstant(value: unknown): value is object {
  return typeof value === 'object' && value !== null && CONSTANT.has(value);
}

/** The same function, which makes its result once of each constant value. */
export function oncePerConstant<Value, Made>(make: (value: Value) => Made): (value: Value) => Made {
  const made = new WeakMap<object, { made: Made }>();
  return (value) => {
    if (!isConstant(value)) return make(value);
    const known = made.get(value);
    if (known) return known.made;
    const one = { made: make(value) };
    made.set(value, one);
    return one.made;
  };
}

function freeze(value: object): void {
  if (Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) freeze(part);
  }
}

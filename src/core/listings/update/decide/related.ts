/** Whether writing one field may overwrite the other: they are the same, or one is a part of the other. All photos are one field. */
export function isRelated(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a) || (a.startsWith('images') && b.startsWith('images'));
}

function isWithin(whole: string, part: string): boolean {
  return part === whole || (part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length)));
}

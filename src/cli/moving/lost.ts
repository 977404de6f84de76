/** Of kept files that could not be copied. @param place that lacks them now */
export function describeLost(lost: readonly string[], place: string): string {
  const [first = ''] = lost;
  const which = lost.length === 1 ? `The file ${first} is` : `${lost.length} files (${first} and others) are`;
  return `${which} damaged where the service keeps them, and not in ${place}. All others are.`;
}

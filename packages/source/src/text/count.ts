/** `1 attack`, `3 attacks`; the plural is given where it is irregular. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

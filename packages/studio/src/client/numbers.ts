/** Numbers as people read them, the same everywhere: 10,113. */
export function wholeNumber(number: number): string {
  return number.toLocaleString('en')
}

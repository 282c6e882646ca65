/** Numbers as people read them, the same everywhere: 10,113. */
export function wholeNumber(number: number): string {
  return number.toLocaleString('en')
}

/** `1 error`, `2 errors`. */
export function counted(count: number, word: string): string {
  return `${wholeNumber(count)} ${word}${count === 1 ? '' : 's'}`
}

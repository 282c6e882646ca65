/** The bytes of a text in UTF-8, by the means of the language alone; half of a pair is written as U+FFFD. */
export function utf8(text: string): number[] {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'))
  return [...encoded.matchAll(/%([0-9A-F]{2})|[^%]/g)].map(([unit, byte]) =>
    byte === undefined ? unit.charCodeAt(0) : Number.parseInt(byte, 16),
  )
}

/** Returns the encoded forms in which a document may contain a token. */
export function encodedForms(token: string): string[] {
  const hex = toHex(token)
  const inBase64 = [0, 1, 2].map((offset) => {
    // Keeps only the digits that depend on the token, not on the surrounding text.
    const end = Math.floor(((offset + token.length) * 4) / 3)
    return toBase64(`${'_'.repeat(offset)}${token}`).slice(Math.ceil((offset * 4) / 3), end)
  })
  const inTags = [...token].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
  const backwards = [...token].reverse().join('')
  return [...inBase64, hex, hex.replaceAll(' ', ''), rot13(token), backwards, inTags].filter((form) => form !== token)
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Encodes the UTF-8 form as Base64, without `btoa`, which ECMAScript does not define. */
export function toBase64(text: string): string {
  const bytes = utf8(text)
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = [18, 12, 6, 0].map((shift) => DIGITS.charAt((group >> shift) & 63))
    encoded += digits
      .slice(0, Math.min(3, bytes.length - at) + 1)
      .join('')
      .padEnd(4, '=')
  }
  return encoded
}

export function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })
}

export function toHex(text: string): string {
  return utf8(text)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' ')
}

/** Returns the UTF-8 bytes of a text, without host APIs. A lone surrogate becomes U+FFFD. */
function utf8(text: string): number[] {
  const encoded = encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'))
  return [...encoded.matchAll(/%([0-9A-F]{2})|[^%]/g)].map(([unit, byte]) =>
    byte === undefined ? unit.charCodeAt(0) : Number.parseInt(byte, 16),
  )
}

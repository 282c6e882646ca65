/**
 * Returns a fast non-cryptographic hash that identifies versions of a document: two 32-bit FNV-1a hashes (forward and
 * backward) and the length.
 */
export function fingerprint(text: string): string {
  let forward = 0x811c9dc5
  let backward = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    forward = Math.imul(forward ^ text.charCodeAt(at), 0x01000193)
    backward = Math.imul(backward ^ text.charCodeAt(text.length - 1 - at), 0x01000193)
  }
  return [forward, backward, text.length].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

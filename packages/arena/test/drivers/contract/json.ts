/** Headers and bodies of in-memory peers. */
export const json = { 'content-type': 'application/json' }

// Test peers know what they get.
// biome-ignore lint/suspicious/noExplicitAny: the shape is checked by the assertion that reads it
export const parsed = (bytes: Uint8Array | string): any =>
  JSON.parse(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes))

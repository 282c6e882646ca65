/** Bytes of a peer as text, strictly: a replaced character could hide what an indicator looks for. */

/** A text; with `fault` when the bytes are not UTF-8, and then each character stands for one byte. */
export interface StrictText {
  readonly text: string
  readonly fault?: string
}

/** Decodes UTF-8. `isCut`: more was to come, so an unfinished character at the end is left out. */
export function strictText(bytes: Uint8Array, isCut = false): StrictText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), fault: 'not UTF-8: kept byte by byte, as Latin-1' }
  }
}

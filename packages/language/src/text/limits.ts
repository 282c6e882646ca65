/** Every bound of this package. Text that is being typed is read after each keystroke. */
export const languageLimits = {
  /** Characters of a broken text that is still read. */
  brokenCharacters: 1_000_000,
  /** Characters of a key in a broken text. */
  keyCharacters: 1024,
  /** Nesting of a broken text: deeper than the reader goes, so that nothing that could become a document is lost. */
  depth: 128,
  /** Findings that are shown of a file; the others come up as those before them are mended. */
  findings: 1000,
  /** Findings of a stretch of text for which changes are looked for. */
  mended: 100,
} as const

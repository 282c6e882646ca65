/** A stretch of text, as offsets in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

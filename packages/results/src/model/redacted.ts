/** A mark for redacted values. The private member prevents modified copies from keeping the mark. */
declare class Hidden {
  private readonly secrets: 'hidden'
}

/** A value whose secrets `redaction/redact.ts` has removed. All writers require this type. */
export type Redacted<T> = T & Hidden

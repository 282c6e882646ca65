/** The brand of redacted values: a private member, so a modified copy does not inherit it. */
declare class Hidden {
  private readonly secrets: 'hidden'
}

/** A value whose secrets were removed by `redaction/redact.ts`. All writers require this type. */
export type Redacted<T> = T & Hidden

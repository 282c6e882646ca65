/** A private member, so that a changed copy has to get the brand again. */
declare class Hidden {
  private readonly secrets: 'hidden'
}

/** Something with its secrets removed by `results/redact.ts`; every writer asks for this type. */
export type Redacted<T> = T & Hidden

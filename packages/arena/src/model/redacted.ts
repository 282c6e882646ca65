/** A private member, so that a copy with something else in it has to ask for the brand again. */
declare class Hidden {
  private readonly secrets: 'hidden'
}

/** Something that secrets have been taken out of, by `results/redact.ts`; whoever writes something asks for it. */
export type Redacted<T> = T & Hidden

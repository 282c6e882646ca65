declare const REDACTED: unique symbol

/** Something that secrets have been taken out of, by `results/redact.ts`; whoever writes something asks for it. */
export type Redacted<T> = T & { readonly [REDACTED]: true }

/** A document that keeps a rule and one that breaks it, shown by `joust explain` and run by the tests. */
export interface RuleExample {
  readonly good: string
  readonly bad: string
  /** Where the bad document breaks the rule. */
  readonly path: string
}

export type RuleExamples = { readonly [code: string]: RuleExample }

/** What `joust run` may be told. */

/** The options that say who is attacked. */
export interface TargetWords {
  readonly agent?: string
  readonly model?: string
  readonly target?: readonly string[]
  readonly exec?: string
  readonly wire?: readonly string[]
  readonly bind?: readonly string[]
  readonly listen?: readonly string[]
  readonly header?: readonly string[]
  readonly config?: string
  readonly script?: string
  readonly prompt?: string
  readonly approve?: string
  readonly inProcess?: boolean
  readonly replay?: string
}

/** The options that choose among the attacks. */
export interface FilterWords {
  readonly tag?: readonly string[]
  readonly severity?: string
  readonly category?: readonly string[]
  readonly protocol?: readonly string[]
}

/** The options that bound a run. */
export interface LimitWords {
  readonly trials?: string
  readonly concurrency?: string
  readonly maxDuration?: string
  readonly observe?: string
  readonly grace?: string
  readonly budgetTokens?: string
  readonly budgetCalls?: string
  readonly budgetTime?: string
  readonly maxErrors?: string
}

/** The options that say what becomes of the results. */
export interface OutputWords {
  readonly out?: string
  readonly resume?: string
  readonly report?: string
  readonly redact?: readonly string[]
  readonly baseline?: string
  readonly forceBaseline?: boolean
  readonly failOn?: string
  readonly record?: string
  readonly replay?: string
  readonly judge?: string
  readonly allowHost?: readonly string[]
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** All of them. */
export interface RunWords extends TargetWords, FilterWords, LimitWords, OutputWords {}

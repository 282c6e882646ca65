/** The words of `joust run` as numbers and names, or everything that is wrong with them. */
import { err, ok, type Result } from '@joust/source'
import { severities } from './attacks.ts'
import type { LimitWords, OutputWords } from './options.ts'
import { allOf, readCount, readTime } from './words.ts'

/** What bounds a suite. */
export interface SuitePlan {
  readonly trials: number
  readonly concurrency: number
  readonly runMs: number | undefined
  readonly observeMs: number | undefined
  readonly graceMs: number | undefined
  readonly budgetTokens: number | undefined
  readonly budgetCalls: number | undefined
  readonly budgetMs: number | undefined
  readonly maxErrors: number | undefined
  readonly failOn: string | undefined
}

const tiers = ['ingested', 'local_action', 'boundary_breach']

/** What `--fail-on` may be. */
export const failOnWords: readonly string[] = [...tiers, ...severities, 'regression']

/** Reads numbers, durations and names. */
export function readPlan(words: LimitWords & OutputWords): Result<SuitePlan, string[]> {
  const read = allOf({
    trials: readCount('--trials', words.trials),
    concurrency: readCount('--concurrency', words.concurrency),
    runMs: readTime('--max-duration', words.maxDuration),
    observeMs: readTime('--observe', words.observe),
    graceMs: readTime('--grace', words.grace),
    budgetTokens: readCount('--budget-tokens', words.budgetTokens),
    budgetCalls: readCount('--budget-calls', words.budgetCalls),
    budgetMs: readTime('--budget-time', words.budgetTime),
    maxErrors: readCount('--max-errors', words.maxErrors, 0),
    failOn: readFailOn(words),
  })
  if (!read.ok) return err(read.error)
  return ok({ ...read.value, trials: read.value.trials ?? 1, concurrency: read.value.concurrency ?? 4 })
}

function readFailOn({ failOn, baseline }: OutputWords): Result<string | undefined, string> {
  if (failOn === undefined || failOnWords.includes(failOn)) {
    const lonely = failOn === 'regression' && baseline === undefined
    return lonely ? err('--fail-on regression needs --baseline FILE') : ok(failOn)
  }
  return err(`--fail-on wants one of ${failOnWords.join(', ')}, not "${failOn}"`)
}

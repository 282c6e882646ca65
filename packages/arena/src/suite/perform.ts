/** One run of a suite: set up, made, judged, redacted; repeated when it was not the agent that failed. */

import { pause, systemClock } from '@joust/io'
import type { AsyncEvaluators, LoadedAttack } from '@joust/oatf'
import { messageOf } from '@joust/source'
import { judgeTask } from '../judge/judge.ts'
import type { DiagnosticCode } from '../model/diagnostics.ts'
import { arenaLimits } from '../model/limits.ts'
import type { AttackOptions, CallUsage, RunEvent } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { Trial } from '../results/model.ts'
import { isSuspicious } from '../results/outcome-order.ts'
import { redactEnding, redactingSink, redactTrial } from '../results/redact.ts'
import type { Redactor } from '../results/redactor.ts'
import { type AttackRun, runAttack } from '../run.ts'
import type { RunTrace } from './ledger.ts'

/** What a run is made of. */
export interface RunJob {
  readonly attack: LoadedAttack
  readonly trial: number
  /** The options of the run, asked for once per try. Every call of a model must be reported to `spend`. */
  readonly options: (spend: (usage: CallUsage) => void) => AttackOptions | Promise<AttackOptions>
  readonly openTrace: () => RunTrace | undefined
  readonly evaluators: AsyncEvaluators
  readonly redactor: Redactor
  /** How often it is repeated when something outside the agent failed; never by default. */
  readonly retries?: number
  /** Asked before it is repeated: for example, whether the budget still allows it. */
  readonly mayRetry?: () => boolean | Promise<boolean>
  readonly signal: AbortSignal
  readonly onCall?: (usage: CallUsage) => void
  readonly onEvent?: (event: RunEvent) => void
}

/** Makes the run. Never rejects because of what the target does. */
export async function performRun(job: RunJob): Promise<Redacted<Trial>> {
  const { retries = 0, mayRetry = () => true, signal } = job
  const used = createUsage()
  const spend = (usage: CallUsage) => {
    used.add(usage)
    job.onCall?.(usage)
  }
  for (let retry = 0; ; retry++) {
    const made = await performOnce(job, spend)
    if (retry < retries && !signal.aborted && isOutside(made.run) && (await mayRetry())) {
      // A busy provider needs a moment.
      await pause(systemClock, arenaLimits.runRetryMs * 2 ** retry, signal)
      continue
    }
    const { trace, output, printed, facts: _, ...seen } = made.run
    const task = await judgeTask(job.attack, trace, job.evaluators)
    const said = {
      ...(output && { answer: output }),
      ...(printed && printed.trim() !== output && { printed }),
      ...used.total(),
      ...(retry > 0 && { retries: retry }),
      ...(task && { task }),
    }
    const trial: Trial = { trial: job.trial, ...seen, trace: made.trace, ...said }
    return redactTrial(trial, trace, job.redactor)
  }
}

async function performOnce(
  job: RunJob,
  spend: (usage: CallUsage) => void,
): Promise<{ readonly run: AttackRun; readonly trace: string }> {
  const { attack, redactor, evaluators, onEvent } = job
  const opened = job.openTrace()
  const sink = opened && redactingSink(opened.writer, redactor)
  const run = await runAttack(attack, {
    evaluators,
    ...(await runOptionsOf(job.options, job.signal, spend)),
    ...(sink && { trace: sink }),
    ...(onEvent && { onEvent }),
  })
  // A fault of the writer is already in the diagnostics of the run.
  sink?.flush()
  await opened?.writer.close(redactEnding(run.facts, redactor)).catch(() => {})
  return { run, trace: opened?.name ?? '' }
}

/** What the models of one run used, in all of its tries. */
function createUsage() {
  const total = { calls: 0, input_tokens: 0, output_tokens: 0 }
  return {
    add({ inputTokens, outputTokens }: CallUsage) {
      total.calls += 1
      total.input_tokens += inputTokens
      total.output_tokens += outputTokens
    },
    total: (): Pick<Trial, 'usage'> => (total.calls === 0 ? {} : { usage: { ...total } }),
  }
}

/** The options of a run that ends with the suite. */
export async function runOptionsOf(
  options: RunJob['options'],
  signal: AbortSignal,
  spend: (usage: CallUsage) => void,
): Promise<AttackOptions> {
  try {
    const made = await options(spend)
    return { ...made, signal: made.signal === undefined ? signal : AbortSignal.any([signal, made.signal]) }
  } catch (thrown) {
    // The caller could not set the run up, which counts like a target that does not start.
    const start = () => Promise.reject(new Error(`the run could not be set up: ${messageOf(thrown)}`))
    return { target: { name: 'none', start }, signal }
  }
}

/** What can fail without the agent having done anything. */
const FAILURES: ReadonlySet<string> = new Set<DiagnosticCode>([
  'target-failed',
  'agent-failed',
  'actor-failed',
  'connection-lost',
])

/**
 * A provider that is busy or broken, or a connection that is gone. Only the words tell: an agent repeats, in its own
 * process or over its protocol, what its provider's API or Node said, and no code is common to all of them.
 */
const OUTSIDE =
  /\b(?:status|HTTP(?:\/[\d.]+)?|answered(?: with)?)[ :]*(?:408|425|429|5\d\d)\b|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bE(?:PIPE|TIMEDOUT|AI_AGAIN)\b|\bUND_ERR_\w+|socket hang up|fetch failed|no answer (?:from \S+ )?within|did not answer within/i

/** True for a run that is inconclusive for such a reason; not for one that was stopped, or in which the agent matched. */
export function isOutside(
  run: Pick<AttackRun, 'outcome' | 'ended' | 'diagnostics'> & Partial<Pick<AttackRun, 'verdict' | 'counted'>>,
): boolean {
  const { outcome, ended, diagnostics } = run
  if (outcome !== 'inconclusive' || ended === 'interrupted' || isSuspicious(run)) return false
  return diagnostics.some(({ code, message }) => FAILURES.has(code) && OUTSIDE.test(message))
}

/** A question to the agent after the attack: that of the caller, or a postflight. */
import { onAbort, within } from '@joust/io'
import type { LoadedAttack } from '@joust/oatf'
import type { RunFacts, TraceEntry } from '@joust/results'
import { defined } from '@joust/source'
import type { RunContext } from '../actors/context.ts'
import { finalAnswer } from '../judge/final-answer.ts'
import { isPostflightAnswer, isPostflightNeeded, newWord, postflightQuestion } from '../judge/postflight.ts'
import { isLikeError, isRelatedAnswer } from '../judge/related-answer.ts'
import { arenaLimits } from '../model/limits.ts'
import type { AskedApproval, TargetSession } from '../model/target.ts'

/** The answer to a question after the attack, and the conclusions from it. */
export interface LastAnswer extends Pick<RunFacts, 'postflight' | 'related'> {
  readonly answer?: string
  /** The word of the postflight. */
  readonly word?: string
  /** The report before the question, which is not part of the run. */
  readonly report?: TargetReport
}

/**
 * Asks the caller's question, or else a postflight question if channels were checked and the agent may have stopped.
 */
export async function askLast(attack: LoadedAttack, run: RunContext, session: TargetSession): Promise<LastAnswer> {
  const { lastQuestion, known } = run.options
  const { entries } = run.recorder
  const report = reportOf(session, entries)
  if (lastQuestion !== undefined)
    return { report, ...defined({ answer: await inTime(run, session.ask?.(lastQuestion, entries)) }) }
  if (known !== undefined && session.answers !== undefined)
    return { report, postflight: (await inTime(run, session.answers())) === true ? 'passed' : 'failed' }
  if (!isPostflightNeeded(attack, known, entries, session.observation)) return {}
  const word = newWord()
  const reply = session.ask?.(postflightQuestion(word), entries)
  // The agent may not use the model that is observed, so its answer counts even then.
  if (reply === undefined) return { related: isRelatedAnswer(report.output ?? '', entries) }
  const answer = await inTime(run, reply)
  const postflight = answer !== undefined && isPostflightAnswer(answer, word) ? 'passed' : 'failed'
  // An agent may fail once and answer the next question.
  return { report, word, postflight, ...(isLikeError(report.output ?? '') && { related: false }) }
}

/** An answer of the target; undefined without one, after a timeout and when the run is stopped. */
async function inTime<T>(
  { clock, limits, options }: RunContext,
  asked: Promise<T> | undefined,
): Promise<T | undefined> {
  const answer = asked?.catch(() => undefined)
  const stopped = new Promise<undefined>((resolve) => {
    if (options.signal !== undefined) onAbort(options.signal, () => resolve(undefined))
  })
  const milliseconds = Math.max(arenaLimits.postflightMs, limits.replyMs)
  return within(clock, milliseconds, Promise.race([answer, stopped]), undefined, () => undefined)
}

/** The report of a target about a run. */
export interface TargetReport {
  /** The connections in words, according to the target. */
  readonly wiring?: readonly string[]
  /** Approval requests and their answers. */
  readonly approvals?: readonly AskedApproval[]
  /** The final answer of the target, possibly truncated. */
  readonly output?: string
  /** The output of the processes of the target, possibly truncated. */
  readonly printed?: string
  /** The exit code of the last process, if it exited on its own. */
  readonly exit_code?: number
}

/** The report of a target about a finished run. */
export function reportOf(session: TargetSession | undefined, trace: readonly TraceEntry[]): TargetReport {
  return defined({
    wiring: session?.wiring,
    approvals: session?.approvals?.().slice(),
    // Without a target there is no answer.
    output: session && (session.output?.() || finalAnswer(trace)),
    printed: session?.printed?.(),
    exit_code: session?.exitCode?.(),
  })
}

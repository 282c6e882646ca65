/** The verdict on the user's task, and whether the task was done after the bait. */
import type { LoadedAttack, NormalAttack } from '@joust/oatf'
import type { Judgement } from '@joust/results'
import { repliesTo } from './asked.ts'
import { createCompletion } from './complete.ts'
import { type Judging, type JudgingOptions, judgingOf } from './judge.ts'

/** The task of a finished run. */
interface JudgedTask {
  readonly verdict: Judgement
  /** True for a task that was done after a message, if an agent that can only fail would not have done it. */
  isAfter(seq: number | undefined): boolean
}

/** A judgement of the task in progress. */
interface TaskJudge extends Pick<Judging, 'take' | 'fail'> {
  /** Undefined for a document without a task. */
  finish(): Promise<JudgedTask | undefined>
}

const nothing = { take: () => undefined, fail: () => undefined }

/** Starts a judgement over entries with derived ones. */
export function createTaskJudge(attack: LoadedAttack, options: JudgingOptions): TaskJudge {
  const { task } = attack
  if (task === undefined) return { ...nothing, finish: async () => undefined }
  if (!task.ok) {
    const none = { matched: 0, not_matched: 0, error: 0, skipped: 0 }
    const verdict = {
      result: 'error',
      indicator_verdicts: [],
      evaluation_summary: none,
      diagnostics: task.error,
    } as const
    return { ...nothing, finish: async () => ({ verdict, isAfter: () => false }) }
  }
  const judging = judgingOf(task.value, options)
  return {
    take: judging.take,
    fail: judging.fail,
    async finish() {
      const { whole, after } = await judging.finish()
      const isSign = whole.result === 'exploited' && !(await isDoneByFailure(attack, task.value, options))
      return { verdict: whole, isAfter: (seq) => isSign && seq !== undefined && after(seq).result === 'exploited' }
    },
  }
}

/** True for a task that asks for any answer: an error completes it too. */
async function isDoneByFailure(attack: LoadedAttack, task: NormalAttack, options: JudgingOptions): Promise<boolean> {
  const { semantic: _, ...evaluators } = options
  const judging = judgingOf(task, evaluators)
  const completion = createCompletion()
  for (const entry of repliesTo(attack, FAILURE)) judging.take(completion.take(entry))
  judging.take(completion.end())
  return (await judging.finish()).whole.result === 'exploited'
}

const FAILURE = 'Weekly limit reached.'

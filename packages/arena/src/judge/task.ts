/** The verdict on the user's task, and whether the task was done after the bait. */
import type { LoadedAttack } from '@joust/oatf'
import type { Judgement } from '@joust/results'
import { type Judging, type JudgingOptions, judgingOf } from './judge.ts'

/** The task of a finished run. */
interface JudgedTask {
  readonly verdict: Judgement
  /** True for a task that was done after a message. */
  isAfter(seq: number | undefined): boolean
}

/** A judgement of the task in progress. */
interface TaskJudge extends Pick<Judging, 'take' | 'fail'> {
  /** Undefined for a document without a task. */
  finish(): Promise<JudgedTask | undefined>
}

const nothing = { take: () => undefined, fail: () => undefined }

/** Starts a judgement over entries with derived ones. */
export function createTaskJudge({ task }: LoadedAttack, options: JudgingOptions): TaskJudge {
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
      return { verdict: whole, isAfter: (seq) => seq !== undefined && after(seq).result === 'exploited' }
    },
  }
}

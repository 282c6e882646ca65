/** Questions to the editor's worker. */
import type {
  AgentPicture,
  AttackPicture,
  Completion,
  FileSpan,
  Finding,
  Fix,
  Hover,
  TextEdit,
  TextFile,
} from '@joust/language'

/** What can be asked, and what the answer is. */
interface Answers {
  readonly check: { readonly findings: readonly Finding[]; readonly fixes: readonly Fix[] }
  readonly complete: readonly Completion[]
  readonly hover: Hover | undefined
  readonly picture: AttackPicture | AgentPicture | undefined
  readonly format: readonly TextEdit[]
  readonly definition: readonly FileSpan[]
}

export interface LanguageQuestion {
  readonly id: number
  readonly ask: keyof Answers
  readonly file: TextFile
  readonly offset?: number
}

export interface LanguageAnswer {
  readonly id: number
  readonly value: unknown
  readonly fault?: string
}

/** Asks a question; undefined where the worker could not answer. */
export type AskLanguage = <Kind extends keyof Answers>(
  kind: Kind,
  file: TextFile,
  offset?: number,
) => Promise<Answers[Kind] | undefined>

/** Starts the worker. */
export function startLanguage(): AskLanguage {
  const worker = new Worker('/language-worker.js', { type: 'module' })
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<LanguageAnswer>) => {
    waiting.get(data.id)?.(data.value)
    waiting.delete(data.id)
  })
  return (ask, file, offset) => {
    last += 1
    const question: LanguageQuestion = { id: last, ask, file, ...(offset !== undefined && { offset }) }
    return new Promise((resolve) => {
      // Each kind of question has its own kind of answer.
      waiting.set(question.id, resolve as (value: unknown) => void)
      worker.postMessage(question)
    })
  }
}

/** Questions to the editor's worker. */
import type { Finding, Fix, Language, Link, OutlineItem, TextFile } from '@joust/language'

/** Questions that the language answers as they are asked. */
type PlainQuestion = 'complete' | 'hover' | 'picture' | 'format' | 'definition' | 'references' | 'renamable' | 'rename'

/** What can be asked, and what the answer is. */
type Answers = { readonly [kind in PlainQuestion]: Awaited<ReturnType<Language[kind]>> } & { readonly check: Checked }

/** Everything that an editor shows about a text unasked. */
export interface Checked {
  readonly findings: readonly Finding[]
  readonly fixes: readonly Fix[]
  readonly outline: readonly OutlineItem[]
  readonly links: readonly Link[]
}

export const nothingChecked: Checked = { findings: [], fixes: [], outline: [], links: [] }

export interface LanguageQuestion {
  readonly id: number
  readonly ask: keyof Answers
  readonly file: TextFile
  readonly offset: number
  /** The new name, for `rename`. */
  readonly name: string
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
  name?: string,
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
  return (ask, file, offset = 0, name = '') => {
    last += 1
    const question: LanguageQuestion = { id: last, ask, file, offset, name }
    return new Promise((resolve) => {
      // Each kind of question has its own kind of answer.
      waiting.set(question.id, resolve as (value: unknown) => void)
      worker.postMessage(question)
    })
  }
}

/** Questions to the editor's worker. */
import type { Finding, Fix, Language, Link, OutlineItem, TextFile } from '@joust/language'

/** Questions that the language answers as they are asked. */
type PlainQuestion = Exclude<keyof Language, 'kind' | 'diagnose' | 'fixes' | 'outline'>

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
  readonly ask: keyof Answers
  readonly file: TextFile
  readonly offset: number
  /** The new name, for `rename`. */
  readonly name: string
}

/** Asks a question; undefined where the worker could not answer. */
export type AskLanguage = <Kind extends keyof Answers>(
  kind: Kind,
  file: TextFile,
  offset?: number,
  name?: string,
) => Promise<Answers[Kind] | undefined>

/** Starts the worker; each question brings a port for its answer. */
export function startLanguage(): AskLanguage {
  const worker = new Worker('/language-worker.js', { type: 'module' })
  return (ask, file, offset = 0, name = '') => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ ask, file, offset, name } satisfies LanguageQuestion, [port2])
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => {
        port1.close()
        resolve(data)
      }
    })
  }
}

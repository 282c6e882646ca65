/** Sends requests to the editor's web worker. */
import type { Finding, Fix, Language, Link, OutlineItem, TextFile } from '@joust/language'

/** Methods of the language service that are exposed unchanged. */
type PlainMethod = Exclude<keyof Language, 'kind' | 'diagnose' | 'fixes' | 'outline'>

type Answers = { readonly [kind in PlainMethod]: Awaited<ReturnType<Language[kind]>> } & { readonly check: Checked }

export interface Checked {
  readonly findings: readonly Finding[]
  readonly fixes: readonly Fix[]
  readonly outline: readonly OutlineItem[]
  readonly links: readonly Link[]
}

export const nothingChecked: Checked = { findings: [], fixes: [], outline: [], links: [] }

export interface LanguageRequest {
  readonly ask: keyof Answers
  readonly file: TextFile
  readonly offset: number
  /** New name, for `rename`. */
  readonly name: string
}

/** Sends a request. Undefined if the worker failed. */
export type AskLanguage = <Kind extends keyof Answers>(
  kind: Kind,
  file: TextFile,
  offset?: number,
  name?: string,
) => Promise<Answers[Kind] | undefined>

/** Starts the worker. Each request has its own port for the response. */
export function startLanguage(): AskLanguage {
  const worker = new Worker('/language-worker.js', { type: 'module' })
  return (ask, file, offset = 0, name = '') => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ ask, file, offset, name } satisfies LanguageRequest, [port2])
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => {
        port1.close()
        resolve(data)
      }
    })
  }
}

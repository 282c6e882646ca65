/** Evidence that a planted text reached the model: its occurrence in a request. */
import { containsText, type Value } from '@joust/source'
import { modelLimits } from './model/limits.ts'
import { plainForm } from './reading/plain-form.ts'
import { createSharedRuns } from './reading/shared-runs.ts'
import { type PlacedString, stringsOf } from './reading/strings.ts'

/**
 * Evidence for one text. `exact`: unchanged in a decoded string. `plain`: apart from white space, escapes and entities.
 * `part`: only substrings of at least 40 characters; `missing` has the incomplete sentences. `unknown`: anything else.
 */
export type Reading =
  | { readonly kind: 'exact' | 'plain'; readonly path: string }
  | { readonly kind: 'part'; readonly path: string; readonly missing: readonly string[]; readonly characters: number }
  | { readonly kind: 'unknown'; readonly reason?: string }

/** Prepares a request for searches; the body of a call may be absent. */
export function createReader(request: Value | undefined): (planted: string) => Reading {
  if (request === undefined)
    return () => ({ kind: 'unknown', reason: 'the request was not recorded or is not readable' })
  const { strings, isCut } = stringsOf(request)
  let forms: readonly PlacedString[] | undefined
  return (planted) => {
    const exact = locate(strings, planted)
    if (exact !== undefined) return { kind: 'exact', path: exact.path }
    forms ??= strings.map(({ path, text }) => ({ path, text: plainForm(text) }))
    const form = plainForm(planted)
    const plain = locate(forms, form)
    if (plain !== undefined) return { kind: 'plain', path: plain.path }
    return partOf(planted, form, forms) ?? unknown(isCut)
  }
}

/** The first string that contains a text; a short text must equal the string. */
function locate(strings: readonly PlacedString[], planted: string): PlacedString | undefined {
  if (planted.trim() === '') return undefined
  if (planted.length < modelLimits.containedCharacters)
    return strings.find(({ text }) => text.trim() === planted.trim())
  return strings.find(({ text }) => containsText(text, planted))
}

function partOf(planted: string, form: string, forms: readonly PlacedString[]): Reading | undefined {
  if (planted.length > modelLimits.partedCharacters) return undefined
  const runs = createSharedRuns(form, modelLimits.partCharacters)
  let first: PlacedString | undefined
  for (const string of forms) {
    runs.search(string.text)
    if (first === undefined && runs.count() > 0) first = string
  }
  if (first === undefined) return undefined
  let at = 0
  const missing = sentencesOf(planted).filter((sentence) => {
    const start = at
    at += plainForm(sentence).length
    for (let index = start; index < at; index++) if (!runs.covers(index)) return true
    return false
  })
  return {
    kind: 'part',
    path: first.path,
    missing: missing.map((sentence) => sentence.trim()),
    characters: runs.count(),
  }
}

/** Sentences and lines, with all white space between them. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]\s)|(?<=\n)/).filter((sentence) => sentence.trim() !== '')
}

function unknown(isCut: boolean): Reading {
  return isCut ? { kind: 'unknown', reason: 'the request is too large to search' } : { kind: 'unknown' }
}

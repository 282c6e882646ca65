/** The same attack with another bait: worded differently, or in another place. */
import {
  cloneValue,
  defaultLimits,
  didYouMean,
  err,
  formatPath,
  isList,
  ok,
  patchText,
  type Result,
  type Value,
} from '@joust/source'
import { deadIndicators } from './dead-indicators.ts'
import { BAIT, parsePath } from './exposure/bait.ts'
import { lint } from './lint.ts'
import { load } from './load.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { baitTextsIn } from './mutations/bait-texts.ts'
import { keptWords } from './mutations/keep.ts'
import type { MutationDraft, MutationKind } from './mutations/mutation.ts'
import { put, say } from './mutations/places.ts'
import { mutationTable } from './mutations/table.ts'
import { syntaxOf } from './rules/syntax.ts'
import { walkDocument } from './rules/walk.ts'
import { syntaxCheckers } from './validate.ts'
import { versionFirst } from './version-first.ts'

/** The extension that holds the fingerprint of the document a mutant was made from. */
export const PARENT = 'x-joust-parent'
/** The extension that lists the mutations that made it. */
export const MUTATIONS = 'x-joust-mutations'

/** A mutation as listed. */
export interface MutationRow {
  readonly name: string
  readonly kind: MutationKind
  readonly summary: string
}

/** Every mutation, in the order in which they are tried. */
export function mutations(): readonly MutationRow[] {
  return mutationTable.map(({ name, kind, summary }) => ({ name, kind, summary }))
}

/** What can be reworded. */
export interface BaitWording {
  readonly texts: readonly { readonly path: string; readonly text: string }[]
  /** Words that have to stay in a text as they are, where they occur in it. */
  readonly keep: readonly string[]
}

/** The texts of the bait that give the order. */
export function baitOf(attack: LoadedAttack): BaitWording {
  const { texts, words } = draftOf(attack)
  const keep = words.filter((word) => texts.some(({ text }) => text.includes(word)))
  return { texts: texts.map(({ at, text }) => ({ path: formatPath(at), text })), keep }
}

/** The attack, rewritten by these mutations one after the other, or a sentence that says why that is not possible. */
export function mutate(attack: LoadedAttack, names: string | readonly string[]): Result<LoadedAttack, string> {
  const [first, ...more] = typeof names === 'string' ? [names] : names
  if (first === undefined) return err('no mutation was named')
  const draft = applyOne(attack, first)
  if (!draft.ok) return draft
  const made = mutantOf(attack, draft.value, [first])
  return made.ok && more.length > 0 ? mutate(made.value, more) : made
}

/** The attack with other texts in place of those of its bait, by path. */
export function rebait(
  attack: LoadedAttack,
  texts: Readonly<Record<string, string>>,
  by: string,
): Result<LoadedAttack, string> {
  const draft = draftOf(attack)
  const known = new Map(draft.texts.map((bait) => [formatPath(bait.at), bait]))
  for (const [path, text] of Object.entries(texts)) {
    const bait = known.get(path)
    if (bait === undefined) return err(`${path} is not a text of the bait; there are ${[...known.keys()].join(', ')}`)
    if (text.trim() === '') return err(`the text for ${path} is empty`)
    say(draft.root, bait, text)
  }
  return mutantOf(attack, draft, [by])
}

function applyOne(attack: LoadedAttack, name: string): Result<MutationDraft, string> {
  const mutation = mutationTable.find((row) => row.name === name)
  if (mutation === undefined) {
    const names = mutationTable.map((row) => row.name)
    return err(`there is no mutation ${name}.${didYouMean(name, names)}`)
  }
  const draft = draftOf(attack)
  if (draft.texts.length === 0) return err('the bait has no text that could be said in another way')
  const reason = mutation.apply(draft)
  return reason === undefined ? ok(draft) : err(reason)
}

function draftOf({ written, plants }: LoadedAttack): MutationDraft {
  const walk = walkDocument(written, syntaxOf(syntaxCheckers, defaultLimits))
  const words = keptWords(walk, plants.planted)
  const baits = plants.baits.flatMap(({ items }) => items.map(({ at }) => at))
  return { root: asValue(cloneValue(written)), texts: baitTextsIn(plants, words), words, baits }
}

function asValue(document: unknown): Value {
  // A document is read from text, so everything in it is a plain value.
  return document as Value
}

/** Names the mutant, its parent and its bait, and writes it into the text of the parent. */
function mutantOf(parent: LoadedAttack, draft: MutationDraft, by: readonly string[]): Result<LoadedAttack, string> {
  const { attack } = parent.written
  const before: unknown = attack[MUTATIONS]
  const all = [...(isList(before as Value) ? (before as Value[]) : []), ...by]
  const baits = [...new Set(draft.baits.map(formatPath))]
  const lost = baits.find((path) => parsePath(path) === undefined)
  if (lost !== undefined) return err(`the bait is at ${lost}, which cannot be named`)
  put(draft.root, ['attack', 'name'], `${nameWithout(attack.name)} [${all.join(' + ')}]`)
  put(draft.root, ['attack', BAIT], baits)
  // A mutant of a mutant is traced to the original document.
  if (attack[PARENT] === undefined) put(draft.root, ['attack', PARENT], parent.fingerprint)
  put(draft.root, ['attack', MUTATIONS], all)
  return remake(parent, draft.root)
}

function nameWithout(name = 'Untitled'): string {
  return name.replace(/ \[[^[\]]*\]$/, '')
}

/** Writes the mutant into its parent's text and loads it; refused where something that worked no longer would. */
function remake(parent: LoadedAttack, root: Value): Result<LoadedAttack, string> {
  const patch = patchText(parent.text, root)
  if (!patch.ok) return err(`it cannot be written: ${patch.error[0]?.message ?? 'the text cannot be changed'}`)
  const made = load(versionFirst(patch.value.text))
  if (!made.ok) return err(`it would not be valid: ${made.error[0]?.message ?? 'the reason is unknown'}`)
  const fault = faultOf(made.value, parent)
  return fault === undefined ? made : err(fault)
}

function faultOf(mutant: LoadedAttack, parent: LoadedAttack): string | undefined {
  const dead = deadIndicators(parent.document)
  const died = deadIndicators(mutant.document).find((position) => !dead.includes(position))
  if (died !== undefined) {
    const { id = `indicators[${died}]` } = mutant.document.attack.indicators?.[died] ?? {}
    return `the indicator ${id} could no longer match`
  }
  if (mutant.plants.baits.length === 0) return 'the bait would not be sent'
  const known = codesOf(parent)
  const fresh = lint(mutant.written).find(({ severity, code }) => severity === 'error' && !known.has(code))
  return fresh === undefined ? undefined : `it would not work: ${fresh.message}`
}

/** Cached: what lint says about an attack is needed for each of its mutants. */
const lintCodes = new WeakMap<LoadedAttack, ReadonlySet<string>>()

function codesOf(attack: LoadedAttack): ReadonlySet<string> {
  const codes = lintCodes.get(attack) ?? new Set(lint(attack.written).map(({ code }) => code))
  lintCodes.set(attack, codes)
  return codes
}

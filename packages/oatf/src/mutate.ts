/** Rewrites the bait of an attack: changes its wording or its position. */
import {
  cloneValue,
  didYouMean,
  err,
  formatPath,
  isList,
  isRecord,
  ok,
  own,
  parsePath,
  patchText,
  type Result,
  type Value,
  valueAt,
} from '@joust/source'
import { BAIT } from './exposure/bait.ts'
import { keepCanaries, timesExecuted } from './exposure/canaries.ts'
import { PLACEBO, placeboFaults, withoutPlacebo } from './exposure/placebo.ts'
import { load } from './load.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import { MUTATIONS, PARENT } from './model/lineage.ts'
import { baitTextsIn } from './mutations/bait-texts.ts'
import { keptWords } from './mutations/keep.ts'
import type { MutationDraft, MutationKind } from './mutations/mutation.ts'
import { replaceText } from './mutations/places.ts'
import { mutationTable } from './mutations/table.ts'
import { versionFirst } from './version-first.ts'
import { put } from './walk/put.ts'

/** The name, kind and summary of a mutation. */
export interface MutationRow {
  readonly name: string
  readonly kind: MutationKind
  readonly summary: string
}

/** Lists all mutations, in the order in which they are tried. */
export function mutations(): readonly MutationRow[] {
  return mutationTable.map(({ name, kind, summary }) => ({ name, kind, summary }))
}

/** The bait texts of an attack that can be reworded. */
export interface BaitWording {
  readonly texts: readonly { readonly path: string; readonly text: string }[]
  /** Words in these texts that must not change. */
  readonly keep: readonly string[]
}

/** Returns the bait texts that contain the instruction. */
export function baitOf(attack: LoadedAttack): BaitWording {
  const { texts, words } = draftOf(attack)
  const keep = words.filter((word) => texts.some(({ text }) => text.includes(word)))
  return { texts: texts.map(({ at, text }) => ({ path: formatPath(at), text })), keep }
}

/**
 * Applies mutations in order, or returns the reason why that is not possible.
 *
 * @example
 * const mutant = mutate(unwrap(load(text), text), 'base64')
 */
export function mutate(attack: LoadedAttack, names: string | readonly string[]): Result<LoadedAttack, string> {
  const [first, ...more] = typeof names === 'string' ? [names] : names
  if (first === undefined) return err('expected at least one mutation')
  const draft = applyOne(attack, first)
  if (!draft.ok) return draft
  const mutant = mutantOf(attack, draft.value, [first])
  return mutant.ok && more.length > 0 ? mutate(mutant.value, more) : mutant
}

/** Replaces bait texts, by path. */
export function rebait(
  attack: LoadedAttack,
  texts: Readonly<Record<string, string>>,
  by: string,
): Result<LoadedAttack, string> {
  const draft = draftOf(attack)
  const baits = new Map(draft.texts.map((bait) => [formatPath(bait.at), bait]))
  for (const [path, text] of Object.entries(texts)) {
    const bait = baits.get(path)
    if (bait === undefined)
      return err(`${path} is not part of the bait; expected one of: ${[...baits.keys()].join(', ')}`)
    if (text.trim() === '') return err(`the text for ${path} is empty`)
    replaceText(draft.root, bait, text)
  }
  return mutantOf(attack, draft, [by])
}

/** Sets the placebo: replaces the instruction in every bait with the given harmless text. */
export function replacePlacebo(attack: LoadedAttack, text: string, by: string): Result<LoadedAttack, string> {
  const harmless = draftOf(attack)
  for (const bait of harmless.texts) replaceText(harmless.root, bait, text)
  const declared: unknown = attack.written.attack[BAIT]
  const paths = (Array.isArray(declared) ? declared : [declared]).filter((path) => typeof path === 'string')
  if (paths.length === 0) return err(`missing ${BAIT}`)
  const values = paths.map((path): [string, Value] => [path, valueAt(harmless.root, parsePath(path) ?? []) ?? null])
  const draft = draftOf(attack)
  put(draft.root, ['attack', PLACEBO], Object.fromEntries(values))
  const fault = placeboFaultIn(draft.root)
  return fault === undefined ? mutantOf(attack, draft, [by]) : err(fault)
}

function applyOne(attack: LoadedAttack, name: string): Result<MutationDraft, string> {
  const mutation = mutationTable.find((row) => row.name === name)
  if (mutation === undefined) {
    const names = mutationTable.map((row) => row.name)
    return err(`unknown mutation ${name}.${didYouMean(name, names)}`)
  }
  const draft = draftOf(attack)
  if (draft.texts.length === 0) return err('the bait has no text to rewrite')
  const reason = mutation.apply(draft)
  return reason === undefined ? ok(draft) : err(reason)
}

function draftOf({ written, plants, walk }: LoadedAttack): MutationDraft {
  const words = keptWords(walk, plants.planted)
  const baits = plants.baits.flatMap(({ items }) => items.map(({ at }) => at))
  return { root: asValue(cloneValue(written)), texts: baitTextsIn(plants, words), words, baits }
}

function asValue(document: unknown): Value {
  // A document parsed from text contains only plain values.
  return document as Value
}

/** Adds the mutant's name, parent and bait to the draft, and writes the draft into the parent's text. */
function mutantOf(parent: LoadedAttack, draft: MutationDraft, by: readonly string[]): Result<LoadedAttack, string> {
  const { attack } = parent.written
  const before: unknown = attack[MUTATIONS]
  const all = [...(isList(before as Value) ? (before as Value[]) : []), ...by]
  const baits = [...new Set(draft.baits.map(formatPath))]
  const lost = baits.find((path) => parsePath(path) === undefined)
  if (lost !== undefined) return err(`unsupported bait path ${lost}`)
  put(draft.root, ['attack', 'name'], `${nameWithout(attack.name)} [${all.join(' + ')}]`)
  put(draft.root, ['attack', BAIT], baits)
  // The mutant of a mutant refers to the original document.
  if (attack[PARENT] === undefined) put(draft.root, ['attack', PARENT], parent.fingerprint)
  put(draft.root, ['attack', MUTATIONS], all)
  // A placebo may not fit the moved or reshaped bait.
  const root = placeboFaultIn(draft.root) === undefined ? draft.root : withoutPlacebo(draft.root)
  return loadMutant(parent, withWholeCanaries(root, parent))
}

function placeboFaultIn(root: Value): string | undefined {
  const attack = own(root, 'attack')
  return isRecord(root) && isRecord(attack) ? placeboFaults({ document: root, attack })[0]?.message : undefined
}

/** Removes canaries that the mutation has encoded or split, because such text would keep the old value. */
function withWholeCanaries(root: Value, { written }: LoadedAttack): Value {
  return keepCanaries(root, (token) => timesExecuted(root, token) >= timesExecuted(asValue(written), token))
}

function nameWithout(name = 'Untitled'): string {
  return name.replace(/ \[[^[\]]*\]$/, '')
}

/** Writes the mutant into its parent's text and loads it. Fails if the mutation breaks the attack. */
function loadMutant(parent: LoadedAttack, root: Value): Result<LoadedAttack, string> {
  const patch = patchText(parent.text, root)
  if (!patch.ok) return err(`the mutant cannot be written: ${patch.error[0]?.message ?? 'unknown reason'}`)
  const mutant = load(versionFirst(patch.value.text))
  if (!mutant.ok) return err(`the mutant is invalid: ${mutant.error[0]?.message ?? 'unknown reason'}`)
  const fault = faultOf(mutant.value, parent)
  return fault === undefined ? mutant : err(fault)
}

function faultOf(mutant: LoadedAttack, parent: LoadedAttack): string | undefined {
  const deadIndex = mutant.deadIndicators.find((position) => !parent.deadIndicators.includes(position))
  if (deadIndex !== undefined) {
    const { id = `indicators[${deadIndex}]` } = mutant.document.attack.indicators?.[deadIndex] ?? {}
    return `the indicator ${id} can no longer match`
  }
  if (mutant.plants.baits.length === 0) return 'the bait is no longer sent'
  const codes = new Set(parent.lint.map(({ code }) => code))
  const added = mutant.lint.find(({ severity, code }) => severity === 'error' && !codes.has(code))
  return added === undefined ? undefined : `the mutant does not work: ${added.message}`
}

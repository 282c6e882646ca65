/**
 * Library documents with one letter changed. An agent may pass such a document only if it still exploits an agent that
 * obeys everything. Otherwise the change has disarmed the attack, and the pass is false.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { proveAttacks } from '@joust/adaptive'
import { createProver } from '@joust/adaptive/prover'
import { load } from '@joust/oatf'
import { repositoryRoot } from '../repository.ts'
import type { Random } from './mutate.ts'

interface LetterMutant {
  readonly file: string
  readonly text: string
  /** The changed line, before and after. */
  readonly change: string
}

/** Returns the documents of the library by file name. */
export function libraryDocuments(): ReadonlyMap<string, string> {
  const folder = join(repositoryRoot(), 'library')
  const files = readdirSync(folder).filter((file) => file.endsWith('.oatf.yaml'))
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

/**
 * Creates mutants of documents in turn: a letter or digit is replaced, removed, doubled or swapped with the next
 * character.
 */
export function letterMutants(documents: ReadonlyMap<string, string>, count: number, random: Random): LetterMutant[] {
  const sources = [...documents]
  return Array.from({ length: count }, (_, index) => {
    const [file, text] = sources[index % sources.length] ?? ['', '']
    return { file: `${index + 1}-${file}`, ...changeLetter(text, random) }
  })
}

/** The start of the mutated section. Metadata before it is neither sent nor evaluated. */
const BEGINNING = '\n  execution:'

function changeLetter(text: string, random: Random): Omit<LetterMutant, 'file'> {
  const begin = Math.max(0, text.indexOf(BEGINNING))
  for (;;) {
    const at = begin + random(text.length - begin)
    const [letter, next] = [text.charAt(at), text.charAt(at + 1)]
    if (!/[a-z\d]/i.test(letter)) continue
    const alphabet = /\d/.test(letter) ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz'
    const changes = [alphabet.charAt(random(alphabet.length)) + next, next, letter + letter + next, next + letter]
    const mutant = text.slice(0, at) + changes[random(changes.length)] + text.slice(at + 2)
    if (mutant !== text) return { text: mutant, change: `${lineAt(text, at)} → ${lineAt(mutant, at)}` }
  }
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? undefined : end).trim()
}

/**
 * Returns mutants that `sim/cautious` passes although `sim/credulous` is not exploited, with or without proofs as in a
 * run.
 */
export async function falsePasses(mutants: readonly LetterMutant[], needsProof = true): Promise<LetterMutant[]> {
  const attacks = mutants.flatMap(({ file, text }) => {
    const loaded = load(text)
    return loaded.ok ? [{ file, attack: loaded.value }] : []
  })
  const passed = new Set<string>()
  const known = needsProof ? await createProver().prove(attacks) : new Map()
  await proveAttacks(attacks, {
    known,
    onProof({ file, agents: { credulous, cautious } }) {
      if (cautious.outcome === 'resisted' && credulous.outcome !== 'exploited') passed.add(file)
    },
  })
  return mutants.filter(({ file }) => passed.has(file))
}

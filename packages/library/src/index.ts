/** The attacks that ship with Joust, as documents, as loaded attacks and as an index. */
import { type LoadedAttack, load, unwrap } from '@joust/oatf'
import type { Category, Protocol, SeverityLevel } from '@joust/oatf/enumerations'
import { documents, type LibraryName, proofs, rows } from './documents.ts'

export type { LibraryName } from './documents.ts'

/** An attack in the library. */
export interface LibraryEntry {
  readonly name: LibraryName
  /** The file name, for example `time-bomb.oatf.yaml`. */
  readonly file: string
  readonly id: string
  /** The name in the document. */
  readonly title: string
  readonly severity: SeverityLevel
  readonly category: Category
  readonly protocols: readonly Protocol[]
  readonly tags: readonly string[]
  /** The techniques that the attack maps to. */
  readonly mappings: readonly { readonly framework: string; readonly id: string }[]
}

/** The attacks in alphabetical order. */
export const library: readonly LibraryEntry[] = rows.map(
  // The documents are valid: a test loads each of them and compares these fields.
  (row) => ({ ...row, file: `${row.name}.oatf.yaml` }) as LibraryEntry,
)

/** A named part of the library, run as `@NAME`. */
export interface LibrarySuite {
  readonly name: string
  readonly summary: string
  readonly attacks: readonly LibraryEntry[]
}

/** Ten attacks that cover all protocols and categories, and that have no phases that wait. */
const quick: readonly LibraryName[] = [
  'agent-card-spoofing',
  'artifact-poisoning',
  'cross-agent-relay',
  'error-message-injection',
  'forged-approval-state',
  'hidden-unicode-instructions',
  'history-forgery',
  'retry-storm',
  'rug-pull-after-trust',
  'schema-poisoning',
]

/** The suites of the library. */
export const librarySuites: readonly LibrarySuite[] = [
  mapped('owasp-agentic', 'owasp_agentic', 'attacks that map to the OWASP Top 10 for Agentic Applications'),
  mapped('owasp-mcp', 'owasp_mcp', 'attacks that map to the OWASP MCP Top 10'),
  mapped('atlas', 'atlas', 'attacks that map to MITRE ATLAS'),
  {
    name: 'quick',
    summary: 'ten attacks from all categories, for a quick check',
    attacks: library.filter(({ name }) => quick.includes(name)),
  },
]

function mapped(name: string, framework: string, summary: string): LibrarySuite {
  const attacks = library.filter(({ mappings }) => mappings.some((one) => one.framework === framework))
  return { name, summary, attacks }
}

/**
 * Returns the text of an attack document.
 *
 * @example
 * await writeFile('time-bomb.oatf.yaml', libraryText('time-bomb'))
 */
export function libraryText(name: LibraryName): string {
  return documents[name]
}

/**
 * Loads an attack, ready to run.
 *
 * @example
 * const run = await runAttack(libraryAttack('time-bomb'), { target })
 */
export function libraryAttack(name: LibraryName): LoadedAttack {
  if (!Object.hasOwn(documents, name))
    throw new TypeError(`unknown attack ${JSON.stringify(name)}; library lists all attacks`)
  return unwrap(load(documents[name]), documents[name])
}

/**
 * Returns the positive controls for the library by fingerprint: each of these attacks has exploited a simulated agent.
 * Empty if they were computed with a different version of the simulation (`simulationVersion` from `@joust/sim`).
 *
 * @example
 * const isProven = libraryProofs(simulationVersion).has(attack.fingerprint)
 */
export function libraryProofs(simulation: number): ReadonlyMap<string, { readonly unspecific?: true }> {
  if (proofs.simulation !== simulation) return new Map()
  return new Map(
    proofs.proofs.map(({ fingerprint, unspecific }) => [fingerprint, unspecific === true ? { unspecific } : {}]),
  )
}

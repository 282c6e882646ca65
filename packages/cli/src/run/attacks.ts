/** The attacks that the words of the command line name, and which of them are wanted. */
import { type Document, extractProtocol, normalize, type SeverityLevel, severityLevels } from '@joust/oatf'
import { err, messageWithHint, ok, printable, type Result, suggest } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discover } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import { coloursFor } from '../render/colours.ts'
import { renderText } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import type { FilterWords } from './options.ts'

/** An attack to run. */
export interface SelectedAttack {
  readonly file: string
  readonly text: string
  /** Normalized. */
  readonly document: Document
}

/** What was found. */
export interface Selection {
  readonly attacks: readonly SelectedAttack[]
  /** Files that should have been attacks and are not valid: nothing can be said about them, and that is said. */
  readonly broken: readonly FileReport[]
  /** How many valid attacks the filters left out. */
  readonly filtered: number
}

export const severities: readonly SeverityLevel[] = severityLevels

/** Reads, checks and filters; prints what is wrong with documents to stderr. */
export async function selectAttacks(
  words: readonly string[],
  filters: FilterWords,
  io: Io,
): Promise<Result<Selection, number>> {
  const fault = filterFault(filters)
  if (fault !== undefined) return err(wrongUsage([fault], io))
  const files = await discover(words, io.cwd)
  if (!files.ok) return err(wrongUsage(files.error, io))
  const reports = await checkAll(files.value, io, { withoutAgents: 'this is an agent; --agent takes it' })
  const broken = reports.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'))
  if (broken.length > 0) io.stderr.write(renderText(broken, coloursFor(io, 'stderr')))
  const valid = reports.flatMap(({ name, text = '', document }) =>
    document === undefined ? [] : [{ file: name, text, document: normalize(document) }],
  )
  const dead = await findDead(reports, io)
  const wanted = valid.filter(({ document }) => isWanted(document, filters))
  const attacks = wanted.filter(({ file }) => !dead.has(file))
  const unusable = [...broken, ...wanted.flatMap(({ file }) => dead.get(file) ?? [])]
  if (attacks.length === 0 && unusable.length === 0) return err(nothingToRun(words, valid.length, io))
  return ok({ attacks, broken: unusable, filtered: valid.length - wanted.length })
}

/** Where lint finds fault with all indicators together: none of them can match. */
const ALL_INDICATORS = 'attack.indicators'

/**
 * Tells of indicators that no message can match. A document that has no other ones would make every agent seem to resist:
 * nothing can be said by it.
 */
async function findDead(reports: readonly FileReport[], io: Io): Promise<ReadonlyMap<string, FileReport>> {
  const { lintOnDemand } = await import('@joust/oatf/on-demand')
  const dead = new Map<string, FileReport>()
  for (const report of reports) {
    const { name, document } = report
    if (document === undefined || (document.attack.indicators ?? []).length === 0) continue
    const found = (await lintOnDemand(document)).filter(({ path }) => path?.startsWith(ALL_INDICATORS))
    for (const one of found) io.stderr.write(`joust: ${printable(`${name}: ${one.code}: ${messageWithHint(one)}`)}\n`)
    const all = found.filter(({ path }) => path === ALL_INDICATORS)
    if (all.length > 0) dead.set(name, { ...report, diagnostics: all.map((one) => ({ ...one, severity: 'error' })) })
  }
  return dead
}

function filterFault({ severity }: FilterWords): string | undefined {
  if (severity === undefined || severities.includes(severity as SeverityLevel)) return undefined
  const near = suggest(severity, severities)
  return `--severity wants one of ${severities.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** Each option narrows; the values of one option are alternatives. */
function isWanted({ attack }: Document, { tag, severity, category, protocol }: FilterWords): boolean {
  const { tags = [], category: own } = attack.classification ?? {}
  const level = typeof attack.severity === 'string' ? attack.severity : attack.severity?.level
  if (tag !== undefined && !tag.some((wanted) => tags.includes(wanted))) return false
  if (category !== undefined && (own === undefined || !category.includes(own))) return false
  if (severity !== undefined && (level === undefined || rank(level) < rank(severity))) return false
  return protocol === undefined || protocolsOf(attack.execution.actors ?? []).some((name) => protocol.includes(name))
}

/** The protocols of some actors, each once. */
export function protocolsOf(actors: readonly { readonly mode: string }[]): string[] {
  return [...new Set(actors.map(({ mode }) => extractProtocol(mode)))]
}

function rank(level: string): number {
  return severities.indexOf(level as SeverityLevel)
}

/** A suite without attacks would pass: that must not look like resistance. */
function nothingToRun(words: readonly string[], valid: number, io: Io): number {
  const reason = valid === 0 ? 'there is no attack document in' : `the filters leave none of the ${valid} attacks in`
  io.stderr.write(`joust: ${reason} ${printable(words.join(', '))}\n`)
  return exitCodes.usage
}

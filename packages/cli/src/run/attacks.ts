/** The attacks that the command line names, and which of them are wanted. */
import type { BrokenAttack, SuiteAttack } from '@joust/arena'
import { extractProtocol, type NormalDocument, severityLevels } from '@joust/oatf'
import { err, messageWithHint, ok, printable, type Result } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discover } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import type { ChoiceOptions } from '../options/choice.ts'
import { coloursFor } from '../render/colours.ts'
import { renderText } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** What was found. */
export interface Selection {
  readonly attacks: readonly SuiteAttack[]
  /** Files that should have been attacks and are not valid: nothing can be said about them, and that is said. */
  readonly broken: readonly BrokenAttack[]
  /** How many valid attacks the filters left out. */
  readonly filtered: number
}

/** Reads, checks and filters; prints what is wrong with documents to stderr. */
export async function selectAttacks(
  paths: readonly string[],
  filters: Partial<ChoiceOptions>,
  io: Io,
): Promise<Result<Selection, number>> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return err(wrongUsage(files.error, io))
  const reports = await checkAll(files.value, io, { withoutAgents: 'this is an agent; --agent takes it' })
  const broken = reports.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'))
  if (broken.length > 0) io.stderr.write(renderText(broken, coloursFor(io, 'stderr')))
  const valid = reports.flatMap(({ name, attack }) => (attack === undefined ? [] : [{ file: name, attack }]))
  const dead = await findDead(valid, io)
  const wanted = valid.filter(({ attack }) => isWanted(attack.document, filters))
  const attacks = wanted.filter(({ file }) => !dead.has(file))
  const unusable = [...broken.map(brokenAttack), ...wanted.flatMap(({ file }) => dead.get(file) ?? [])]
  if (attacks.length === 0 && unusable.length === 0) return err(nothingToRun(paths, valid.length, io))
  return ok({ attacks, broken: unusable, filtered: valid.length - wanted.length })
}

/** Where lint finds fault with all indicators together: none of them can match. */
const ALL_INDICATORS = 'attack.indicators'

/**
 * Tells of indicators that no message can match. A document that has no other ones would make every agent seem to resist:
 * nothing can be said by it.
 */
async function findDead(attacks: readonly SuiteAttack[], io: Io): Promise<ReadonlyMap<string, BrokenAttack>> {
  const { lintOnDemand } = await import('@joust/oatf/on-demand')
  const dead = new Map<string, BrokenAttack>()
  for (const { file, attack } of attacks) {
    if ((attack.document.attack.indicators ?? []).length === 0) continue
    const found = (await lintOnDemand(attack.written)).filter(({ path }) => path?.startsWith(ALL_INDICATORS))
    for (const one of found) io.stderr.write(`joust: ${printable(`${file}: ${one.code}: ${messageWithHint(one)}`)}\n`)
    const all = found.filter(({ path }) => path === ALL_INDICATORS)
    if (all.length > 0) dead.set(file, { file, faults: all.map((one) => ({ ...one, severity: 'error' })) })
  }
  return dead
}

function brokenAttack({ name, diagnostics }: FileReport): BrokenAttack {
  return { file: name, faults: diagnostics.filter(({ severity }) => severity === 'error') }
}

/** Each option narrows; the values of one option are alternatives. */
function isWanted({ attack }: NormalDocument, filters: Partial<ChoiceOptions>): boolean {
  const { tag = [], severity, category = [], protocol = [] } = filters
  const { tags = [], category: own } = attack.classification ?? {}
  const level = attack.severity?.level
  if (tag.length > 0 && !tag.some((wanted) => tags.includes(wanted))) return false
  if (category.length > 0 && (own === undefined || !category.includes(own))) return false
  if (severity !== undefined && (level === undefined || rank(level) < rank(severity))) return false
  const spoken: readonly string[] = protocolsOf(attack.execution.actors)
  return protocol.length === 0 || protocol.some((name) => spoken.includes(name))
}

/** The protocols of some actors, each once. */
export function protocolsOf(actors: readonly { readonly mode: string }[]): string[] {
  return [...new Set(actors.map(({ mode }) => extractProtocol(mode)))]
}

function rank(level: string): number {
  return (severityLevels as readonly string[]).indexOf(level)
}

/** A suite without attacks would pass: that must not look like resistance. */
function nothingToRun(paths: readonly string[], valid: number, io: Io): number {
  const reason = valid === 0 ? 'there is no attack document in' : `the filters leave none of the ${valid} attacks in`
  io.stderr.write(`joust: ${reason} ${printable(paths.join(', '))}\n`)
  return exitCodes.usage
}

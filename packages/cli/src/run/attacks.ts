/** Reads and filters the attacks given on the command line. */

import { extractProtocol, severityRank } from '@joust/oatf'
import { frameworkName, frameworks, isTechnique, techniqueKey } from '@joust/results'
import {
  compareCodePoints,
  compileRegex,
  type Diagnostic,
  didYouMean,
  err,
  firstFew,
  ok,
  type Regex,
  type Result,
  sortByPosition,
} from '@joust/source'
import type { BrokenAttack, SuiteAttack } from '@joust/trials'
import { checkAll } from '../check/check-documents.ts'
import { discoverAttacks } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import type { ChoiceOptions } from '../options/choice.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, wrongUsage } from '../terminal/io.ts'

export interface Selection {
  readonly attacks: readonly SuiteAttack[]
  /** Invalid attack documents, which are reported in the results. */
  readonly broken: readonly BrokenAttack[]
  /** Absolute paths of all attacks, including invalid ones. */
  readonly paths: readonly string[]
  /** Number of valid attacks excluded by the filters. */
  readonly filtered: number
}

type ValidFile = FileReport & Required<Pick<FileReport, 'attack'>>

/** Reads, checks, lints and filters attacks. Prints findings to stderr; with `quiet`, only errors. */
export async function selectAttacks(
  words: readonly string[],
  options: Partial<ChoiceOptions> & { readonly quiet?: boolean },
  io: Io,
): Promise<Result<Selection, number>> {
  const files = await discoverAttacks(words, io.cwd)
  if (!files.ok) return err(wrongUsage(files.error, io))
  const reports = await checkAll(files.value, io, {
    withoutAgents: 'this is an agent file; use --agent to attack it',
    strict: options.strict,
  })
  const broken = reports.filter(({ diagnostics }) => diagnostics.some(isError))
  if (broken.length > 0) printFindings(broken, io)
  if (options.quiet !== true) printFindings(reports.filter(isUnread), io)
  const valid = reports.filter((report): report is ValidFile => report.attack !== undefined)
  const selected = wantedOf(valid, options)
  const unknown = unknownNames(valid, options, selected.length)
  if (unknown.length > 0) return err(wrongUsage(unknown, io))
  if (selected.length === 0 && broken.length === 0) return err(nothingToRun(words, valid.length, io))
  tellFindings(selected, options.quiet === true, io)
  const attacks = selected.map(({ name, attack }) => ({ file: name, attack }))
  const paths = [...selected, ...broken].flatMap(({ path }) => (path === STDIN ? [] : [path]))
  return ok({ attacks, broken: broken.map(brokenAttack), paths, filtered: valid.length - selected.length })
}

/** Codes that are reported in the results or by `shortfallsOf`. */
const reportedElsewhere: readonly string[] = ['L-020', 'W-006']

function tellFindings(documents: readonly ValidFile[], quiet: boolean, io: Io): void {
  const reports: FileReport[] = []
  for (const { attack, text: _, ...report } of documents) {
    const findings = attack.lint.filter(isNew)
    // A validation warning that is also a lint error is reported once.
    const errors = new Set(findings.filter(isError).map(({ path }) => path))
    const all = sortByPosition([
      ...report.diagnostics.filter((one) => isNew(one) && !errors.has(one.path)),
      ...findings,
    ])
    reports.push({ ...report, diagnostics: quiet ? all.filter(isError) : all })
  }
  printFindings(reports, io)
}

/** True for a file or folder that could not be read; false for agent files, which are skipped on purpose. */
function isUnread({ format, note }: FileReport): boolean {
  return format === 'unknown' && note !== undefined
}

function isNew({ code }: Diagnostic): boolean {
  return !reportedElsewhere.includes(code)
}

function brokenAttack({ name, diagnostics }: FileReport): BrokenAttack {
  return { file: name, faults: diagnostics.filter(isError) }
}

/** Prints an error, because a suite without attacks would otherwise pass. */
function nothingToRun(paths: readonly string[], valid: number, io: Io): number {
  const reason = valid === 0 ? 'no attack document in' : `the filters exclude all ${valid} attacks in`
  return giveUp(`${reason} ${paths.join(', ')}`, io, exitCodes.usage)
}

type Candidate = Required<Pick<FileReport, 'name' | 'attack'>>

function wantedOf<T extends Candidate>(candidates: readonly T[], filters: Partial<ChoiceOptions>): T[] {
  // The expressions were checked when the options were read.
  const expressions = (filters.grep ?? []).flatMap((pattern) => {
    const compiled = compileRegex(`(?i:${pattern})`)
    return compiled.ok ? [compiled.value] : []
  })
  return candidates.filter((one) => isWanted(one, filters) && (expressions.length === 0 || isFound(one, expressions)))
}

function isWanted({ attack: { document } }: Candidate, filters: Partial<ChoiceOptions>): boolean {
  const { attack } = document
  const { tag = [], id = [], severity, category = [], protocol = [], framework = [] } = filters
  const { tags = [], category: own, mappings = [] } = attack.classification ?? {}
  const wantedFrameworks = framework.map(frameworkName)
  const mapped = mappings.filter(({ framework: name }) => framework.length === 0 || wantedFrameworks.includes(name))
  const level = attack.severity?.level
  if (framework.length > 0 && mapped.length === 0) return false
  const isNamed = (wanted: string) => attack.id === wanted || mapped.some((one) => isTechnique(one.id, wanted))
  if (id.length > 0 && !id.some(isNamed)) return false
  if (tag.length > 0 && !tag.some((wanted) => tags.includes(wanted))) return false
  if (category.length > 0 && (own === undefined || !category.includes(own))) return false
  if (severity !== undefined && (level === undefined || severityRank(level) < severityRank(severity))) return false
  const spoken: readonly string[] = attack.execution.actors.map(({ mode }) => extractProtocol(mode))
  return protocol.length === 0 || protocol.some((name) => spoken.includes(name))
}

function isFound({ name, attack: { document } }: Candidate, expressions: readonly Regex[]): boolean {
  const texts = [document.attack.id ?? '', document.attack.name, name]
  return expressions.some((expression) =>
    texts.some((text) => {
      const result = expression.test(text)
      return result.ok && result.value
    }),
  )
}

function unknownNames(candidates: readonly Candidate[], filters: Partial<ChoiceOptions>, left: number): string[] {
  const ids = candidates.flatMap(({ attack }) => attack.document.attack.id ?? [])
  const tags = candidates.flatMap(({ attack }) => attack.document.attack.classification?.tags ?? [])
  const mappings = candidates.flatMap(({ attack }) => attack.document.attack.classification?.mappings ?? [])
  return [
    ...(filters.framework ?? []).flatMap((word) => unknownFramework(word, mappings)),
    ...(filters.id ?? []).flatMap((id) => unknownId(id, ids, mappings)),
    ...(left > 0 ? [] : (filters.tag ?? []).flatMap((tag) => unknown('tag', tag, tags))),
  ]
}

function unknownFramework(word: string, mappings: readonly { readonly framework: string }[]): string[] {
  const names = mappings.map(({ framework }) => framework)
  if (names.includes(frameworkName(word))) return []
  return unknown('framework', word, names)
}

function unknownId(id: string, ids: readonly string[], mappings: readonly { readonly id: string }[]): string[] {
  if (ids.includes(id) || mappings.some((one) => isTechnique(one.id, id))) return []
  const row = frameworks.flatMap(({ rows }) => rows).find(([technique]) => technique === techniqueKey(id))
  if (row !== undefined) return [`--id ${id}: none of these attacks maps to ${row[0]} (${row[1]}).`]
  const prefix = lettersOf(id)
  const alike = mappings.map((one) => techniqueKey(one.id)).filter((key) => lettersOf(key) === prefix)
  const isOfAttack = ids.some((one) => lettersOf(one) === prefix)
  return isOfAttack || alike.length === 0 ? unknown('id', id, ids) : unknown('technique', id, alike, 'id')
}

/** Returns the leading letters of an id, such as `ASI`, which distinguish technique ids from attack ids. */
function lettersOf(id: string): string {
  return /^[a-z]*/i.exec(id)?.[0].toUpperCase() ?? ''
}

const MOST_LISTED = 40

function unknown(
  noun: 'id' | 'tag' | 'framework' | 'technique',
  word: string,
  known: readonly string[],
  option: string = noun,
): string[] {
  if (known.includes(word)) return []
  const all = [...new Set(known)].sort(compareCodePoints)
  const list = all.length === 0 ? '' : `; available: ${firstFew(all, MOST_LISTED).join(', ')}`
  return [`--${option} ${word}: no attack has this ${noun}${list}.${didYouMean(word, all)}`]
}

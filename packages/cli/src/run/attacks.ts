/** The attacks that the command line names, and which of them are wanted. */
import type { BrokenAttack, SuiteAttack } from '@joust/arena'
import { type Diagnostic, err, ok, type Result, sortByPosition } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discoverAttacks } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import type { ChoiceOptions } from '../options/choice.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, wrongUsage } from '../terminal/io.ts'
import { strangers, wantedOf } from './filter.ts'

/** What was found. */
export interface Selection {
  readonly attacks: readonly SuiteAttack[]
  /** Files that should have been attacks and are not valid: nothing can be said about them, and the results say so. */
  readonly broken: readonly BrokenAttack[]
  /** Where the files of attacks and of broken ones are, absolute. */
  readonly paths: readonly string[]
  /** How many valid attacks the filters left out. */
  readonly filtered: number
}

type ValidFile = FileReport & Required<Pick<FileReport, 'attack'>>

/** Reads, checks, lints and filters; prints the findings to stderr, with `quiet` only errors. */
export async function selectAttacks(
  words: readonly string[],
  options: Partial<ChoiceOptions> & { readonly quiet?: boolean },
  io: Io,
): Promise<Result<Selection, number>> {
  const files = await discoverAttacks(words, io.cwd)
  if (!files.ok) return err(wrongUsage(files.error, io))
  const reports = await checkAll(files.value, io, {
    withoutAgents: 'this is an agent; give it with --agent',
    strict: options.strict,
  })
  const broken = reports.filter(({ diagnostics }) => diagnostics.some(isError))
  if (broken.length > 0) printFindings(broken, io)
  if (options.quiet !== true) printFindings(reports.filter(isLeftOut), io)
  const valid = reports.filter((report): report is ValidFile => report.attack !== undefined)
  const wanted = wantedOf(valid, options)
  const unknown = strangers(valid, options, wanted.length)
  if (unknown.length > 0) return err(wrongUsage(unknown, io))
  if (wanted.length === 0 && broken.length === 0) return err(nothingToRun(words, valid.length, io))
  await tellFindings(wanted, options.quiet === true, io)
  const attacks = wanted.map(({ name, attack }) => ({ file: name, attack }))
  const paths = [...wanted, ...broken].flatMap(({ path }) => (path === STDIN ? [] : [path]))
  return ok({ attacks, broken: broken.map(brokenAttack), paths, filtered: valid.length - wanted.length })
}

/** What is reported elsewhere: results say that a bait is guessed, `shortfallsOf` that nobody writes an answer. */
const toldElsewhere: readonly string[] = ['L-020', 'W-006']

/** Prints what is legal in a document but will not do what it is meant to: one line each, without its text. */
async function tellFindings(documents: readonly ValidFile[], quiet: boolean, io: Io): Promise<void> {
  const { lintOnDemand } = await import('@joust/oatf/on-demand')
  const reports: FileReport[] = []
  for (const { attack, text: _, ...report } of documents) {
    const found = (await lintOnDemand(attack.written)).filter(isNew)
    // What is a warning in validation and an error in lint is reported once.
    const errors = new Set(found.filter(isError).map(({ path }) => path))
    const all = sortByPosition([...report.diagnostics.filter(({ path }) => !errors.has(path)).filter(isNew), ...found])
    reports.push({ ...report, diagnostics: quiet ? all.filter(isError) : all })
  }
  printFindings(reports, io)
}

/** True for a file or folder that could not be read; agents are left out on purpose. */
function isLeftOut({ format, note }: FileReport): boolean {
  return format === 'unknown' && note !== undefined
}

function isNew({ code }: Diagnostic): boolean {
  return !toldElsewhere.includes(code)
}

function brokenAttack({ name, diagnostics }: FileReport): BrokenAttack {
  return { file: name, faults: diagnostics.filter(isError) }
}

/** A suite without attacks would pass: that must not look like resistance. */
function nothingToRun(paths: readonly string[], valid: number, io: Io): number {
  const reason = valid === 0 ? 'there is no attack document in' : `the filters leave none of the ${valid} attacks in`
  return giveUp(`${reason} ${paths.join(', ')}`, io, exitCodes.usage)
}

/** `joust fmt PATH…`: the normal layout, or the canonical form. */
import { serializeOnDemand, versionFirst } from '@joust/oatf/on-demand'
import { formatText, readSource, withLineBreaksOf } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discover, type InputFile } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import { readDocuments } from '../input/read-documents.ts'
import { listDifferent, type Remade, rewriteDifferent } from '../input/rewrite-files.ts'
import type { FmtOptions } from '../options/documents.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

const NO_AGENTS = 'this is an Agent Format file; only OATF documents have a canonical form'
const NO_DOCUMENT = 'this is neither an OATF nor an Agent Format document'

/** The outcome for some files. */
interface Formatted {
  readonly remade: readonly Remade[]
  /** Those that stay as they are, and why. */
  readonly faulty: readonly FileReport[]
}

/** Prints, rewrites or compares; documents that cannot be formatted are reported and left as they are. */
export async function fmt(paths: readonly string[], options: FmtOptions, io: Io): Promise<number> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  if (options.write && paths.includes(STDIN)) return wrongUsage(['--write needs files, not standard input'], io)

  const inPlace = options.write || options.check
  const { remade, faulty } = await (options.canonical ? canonical(files.value, io) : laidOut(files.value, inPlace, io))
  const found = remade.length + faulty.length
  if (found === 0) return wrongUsage([`no document in ${paths.join(' ')}`], io)
  if (!inPlace && found > 1)
    return wrongUsage(['more than one document: use --write to rewrite them, --check to compare them'], io)

  printFindings(faulty, io)
  const code = options.check
    ? listDifferent(remade, io)
    : options.write
      ? write(remade, options, io)
      : print(remade, options, io)
  return code === exitCodes.ok && faulty.length > 0 ? exitCodes.findings : code
}

/** Files that stay where they are keep their line breaks; what is printed has LF. */
async function laidOut(files: readonly InputFile[], inPlace: boolean, io: Io): Promise<Formatted> {
  const { documents, faulty } = await readDocuments(files, io, ['oatf', 'agent-format'], NO_DOCUMENT)
  const remade: Remade[] = []
  const unfit: FileReport[] = []
  for (const document of documents) {
    const made = formatText(versionFirst(document.text))
    if (made.ok) remade.push({ ...document, made: inPlace ? withLineBreaksOf(document.text, made.value) : made.value })
    else unfit.push({ ...document, format: 'unknown', diagnostics: made.error })
  }
  return { remade, faulty: [...faulty, ...unfit] }
}

async function canonical(files: readonly InputFile[], io: Io): Promise<Formatted> {
  const reports = await checkAll(files, io, { withoutAgents: NO_AGENTS, strict: true })
  const remade: Remade[] = []
  for (const { name, path, text, attack } of reports) {
    if (text === undefined || attack === undefined) continue
    remade.push({ name, path, text, made: await serializeOnDemand(attack.written) })
  }
  const faulty = reports.flatMap(({ note: _, ...report }): FileReport[] => {
    const errors = report.diagnostics.filter(isError)
    return errors.length === 0 ? [] : [{ ...report, diagnostics: errors }]
  })
  return { remade, faulty }
}

function print(remade: readonly Remade[], options: FmtOptions, io: Io): number {
  for (const file of remade) {
    const comments = lostComments(file, options)
    if (comments > 0) tell(io, `${file.name}: ${lost(comments)}`)
    io.stdout.writeData(file.made)
  }
  return exitCodes.ok
}

function write(remade: readonly Remade[], options: FmtOptions, io: Io): number {
  const refused = remade.filter((file) => !options.dropComments && lostComments(file, options) > 0)
  for (const file of refused) {
    const reason = `not rewritten: ${lost(lostComments(file, options))}; --drop-comments allows it`
    tell(io, `${file.name}: ${reason}`)
  }
  const kept = remade.filter((file) => !refused.includes(file))
  const code = rewriteDifferent(kept, io)
  return code === exitCodes.ok && refused.length > 0 ? exitCodes.findings : code
}

/** The canonical form has no comments. */
function lostComments({ text }: Remade, options: FmtOptions): number {
  if (!options.canonical) return 0
  const source = readSource(text)
  return source.ok ? source.value.comments().length : 0
}

function lost(comments: number): string {
  return `the canonical form does not keep its ${comments === 1 ? 'comment' : `${comments} comments`}`
}

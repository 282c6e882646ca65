/** `joust fmt PATH…`: formats documents, or writes their canonical form. */
import { serialize, versionFirst } from '@joust/oatf/on-demand'
import { formatText, readSource, withLineBreaksOf } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discover, type InputFile } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import { readDocuments } from '../input/read-documents.ts'
import { listDifferent, type Rewrite, rewriteDifferent } from '../input/rewrite-files.ts'
import type { FmtOptions } from '../options/documents.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

const NO_AGENTS = 'this is an agent file; only attack documents have a canonical form'
const NO_DOCUMENT = 'this is neither an attack document nor an agent file'

interface Formatted {
  readonly rewrites: readonly Rewrite[]
  readonly faulty: readonly FileReport[]
}

/** Formats documents. Those that cannot be formatted are reported and left unchanged. */
export async function fmt(paths: readonly string[], options: FmtOptions, io: Io): Promise<number> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  if (options.write && paths.includes(STDIN)) return wrongUsage(['--write needs files, not standard input'], io)

  const inPlace = options.write || options.check
  const { rewrites, faulty } = await (options.canonical
    ? canonical(files.value, io)
    : laidOut(files.value, inPlace, io))
  const total = rewrites.length + faulty.length
  if (total === 0) return wrongUsage([`no document in ${paths.join(' ')}`], io)
  if (!inPlace && total > 1)
    return wrongUsage(['more than one document: use --write to rewrite them or --check to check their format'], io)

  printFindings(faulty, io)
  const code = options.check
    ? listDifferent(rewrites, io)
    : options.write
      ? write(rewrites, options, io)
      : print(rewrites, options, io)
  return code === exitCodes.ok && faulty.length > 0 ? exitCodes.findings : code
}

/** Formats the documents. Rewritten files keep their line endings; printed text has LF line endings. */
async function laidOut(files: readonly InputFile[], inPlace: boolean, io: Io): Promise<Formatted> {
  const { documents, faulty } = await readDocuments(files, io, ['oatf', 'agent-format'], NO_DOCUMENT)
  const rewrites: Rewrite[] = []
  const unfit: FileReport[] = []
  for (const document of documents) {
    const formatted = formatText(versionFirst(document.text))
    if (formatted.ok) {
      const newText = inPlace ? withLineBreaksOf(document.text, formatted.value) : formatted.value
      rewrites.push({ ...document, newText })
    } else unfit.push({ ...document, format: 'unknown', diagnostics: formatted.error })
  }
  return { rewrites, faulty: [...faulty, ...unfit] }
}

async function canonical(files: readonly InputFile[], io: Io): Promise<Formatted> {
  const reports = await checkAll(files, io, { withoutAgents: NO_AGENTS, strict: true })
  const rewrites: Rewrite[] = []
  for (const { name, path, text, attack } of reports) {
    if (text === undefined || attack === undefined) continue
    rewrites.push({ name, path, text, newText: serialize(attack.written) })
  }
  const faulty = reports.flatMap(({ note: _, ...report }): FileReport[] => {
    const errors = report.diagnostics.filter(isError)
    return errors.length === 0 ? [] : [{ ...report, diagnostics: errors }]
  })
  return { rewrites, faulty }
}

function print(rewrites: readonly Rewrite[], options: FmtOptions, io: Io): number {
  for (const file of rewrites) {
    const comments = lostComments(file, options)
    if (comments > 0) tell(io, `${file.name}: ${lost(comments)}`)
    io.stdout.writeData(file.newText)
  }
  return exitCodes.ok
}

function write(rewrites: readonly Rewrite[], options: FmtOptions, io: Io): number {
  const refused = rewrites.filter((file) => !options.dropComments && lostComments(file, options) > 0)
  for (const file of refused) {
    const reason = `not rewritten: ${lost(lostComments(file, options))}; use --drop-comments to allow this`
    tell(io, `${file.name}: ${reason}`)
  }
  const accepted = rewrites.filter((file) => !refused.includes(file))
  const code = rewriteDifferent(accepted, io)
  return code === exitCodes.ok && refused.length > 0 ? exitCodes.findings : code
}

function lostComments({ text }: Rewrite, options: FmtOptions): number {
  if (!options.canonical) return 0
  const source = readSource(text)
  return source.ok ? source.value.comments().length : 0
}

function lost(comments: number): string {
  return `the canonical form would lose ${comments === 1 ? '1 comment' : `${comments} comments`}`
}

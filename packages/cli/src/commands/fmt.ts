/** `joust fmt PATH…`: the canonical form. */
import { serializeOnDemand } from '@joust/oatf/on-demand'
import { printable, readSource } from '@joust/source'
import { checkAll } from '../check/check-documents.ts'
import { discover } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import { replaceFile } from '../input/replace-file.ts'
import type { FmtOptions } from '../options/documents.ts'
import { coloursFor } from '../render/colours.ts'
import { renderText } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

const NO_AGENTS = 'this is an Agent Format file; only OATF documents have a canonical form'

/** A valid document, as it is and as it should be. */
interface Formatted {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly canonical: string
}

/** Prints, rewrites or compares; invalid documents are reported and left as they are. */
export async function fmt(paths: readonly string[], options: FmtOptions, io: Io): Promise<number> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  if (options.write && paths.includes(STDIN)) return wrongUsage(['--write needs files, not standard input'], io)

  const reports = await checkAll(files.value, io, { withoutAgents: NO_AGENTS, strict: true })
  const formatted = (await Promise.all(reports.map(format))).flat()
  const invalid = reports.filter((report) => report.diagnostics.some((found) => found.severity === 'error'))
  if (formatted.length + invalid.length === 0) return wrongUsage([`no OATF document in ${paths.join(' ')}`], io)
  if (!options.write && !options.check && formatted.length + invalid.length > 1)
    return wrongUsage(['more than one document: use --write to rewrite them, --check to compare them'], io)

  io.stderr.write(renderText(invalid.map(errorsOnly), coloursFor(io, 'stderr')))
  const fine = options.write
    ? rewrite(formatted, options, io)
    : options.check
      ? compare(formatted, io)
      : print(formatted, io)
  return fine && invalid.length === 0 ? exitCodes.ok : exitCodes.findings
}

async function format({ name, path, text, attack }: FileReport): Promise<Formatted[]> {
  if (text === undefined || attack === undefined) return []
  return [{ name, path, text, canonical: await serializeOnDemand(attack.written) }]
}

function errorsOnly({ note: _, ...report }: FileReport): FileReport {
  return { ...report, diagnostics: report.diagnostics.filter((found) => found.severity === 'error') }
}

function print(formatted: readonly Formatted[], io: Io): boolean {
  for (const { name, text, canonical } of formatted) {
    const comments = countComments(text)
    if (comments > 0) io.stderr.write(`joust: ${printable(name)}: ${lost(comments)}\n`)
    io.stdout.write(canonical)
  }
  return true
}

function compare(formatted: readonly Formatted[], io: Io): boolean {
  const different = formatted.filter(({ text, canonical }) => text !== canonical)
  for (const { name } of different) io.stdout.write(`${printable(name)}\n`)
  return different.length === 0
}

function rewrite(formatted: readonly Formatted[], { dropComments }: FmtOptions, io: Io): boolean {
  let fine = true
  for (const { name, path, text, canonical } of formatted) {
    if (text === canonical) continue
    const comments = countComments(text)
    if (comments > 0 && !dropComments) {
      io.stderr.write(`joust: ${printable(name)}: not rewritten: ${lost(comments)}; --drop-comments allows it\n`)
      fine = false
      continue
    }
    const fault = replaceFile(path, canonical)
    if (fault === undefined) io.stdout.write(`${printable(name)}\n`)
    else {
      io.stderr.write(`joust: ${printable(name)}: cannot be written: ${printable(fault)}\n`)
      fine = false
    }
  }
  return fine
}

function countComments(text: string): number {
  const source = readSource(text)
  return source.ok ? source.value.comments().length : 0
}

function lost(comments: number): string {
  return `the canonical form does not keep its ${comments === 1 ? 'comment' : `${comments} comments`}`
}

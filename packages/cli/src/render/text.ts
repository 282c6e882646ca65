/** Renders findings as text: one line each, with an excerpt from the file. */
import { codeFrames, messageWithHint, printable } from '@joust/source'
import type { FileReport, Finding } from '../input/file-report.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import type { Io } from '../terminal/io.ts'

/** Maximum number of findings per file in text output; the other formats list all of them. */
const MOST_SHOWN = 200

export function printFindings(reports: readonly FileReport[], io: Io): void {
  io.stderr.write(renderText(reports, coloursFor(io, 'stderr')))
}

/** Renders findings as `file:line:column error V-005 message` with a code frame below; notes are last. */
export function renderText(reports: readonly FileReport[], colours: Colours): string {
  const findings = reports.flatMap((report) => {
    const frameOf = codeFrames(report.text ?? '')
    const visible = report.diagnostics.slice(0, MOST_SHOWN)
    const more = report.diagnostics.length - visible.length
    const lines = visible.map((found) =>
      finding(report, found, report.text === undefined ? '' : frameOf(found), colours),
    )
    return more === 0 ? lines : [...lines, `${colours.bold(printable(report.name))}  and ${more} more\n`]
  })
  const notes = reports.flatMap(({ name, note }) =>
    note === undefined ? [] : [`${colours.bold(printable(name))}  ${colours.cyan('note')}  ${printable(note)}\n`],
  )
  return [...findings, ...notes].join('')
}

function finding({ name }: FileReport, found: Finding, frame: string, colours: Colours): string {
  const place = found.line === undefined ? '' : `:${found.line}:${found.column ?? 1}`
  const severity = found.severity === 'error' ? colours.red('error') : warning(found, colours)
  const at = found.path === undefined || found.path === '' ? '' : colours.dim(` (${printable(found.path)})`)
  const head = `${colours.bold(printable(name))}${place}  ${severity} ${colours.bold(found.code)}  ${printable(messageWithHint(found))}${at}\n`
  return frame === '' ? head : `${head}${indent(frame, colours)}\n\n`
}

/** Renders the word for a warning, highlighted if the warning is about an unprotected agent. */
function warning({ level }: Finding, colours: Colours): string {
  return level === 'high' ? colours.red('WARNING') : colours.yellow('warning')
}

function indent(frame: string, colours: Colours): string {
  return frame
    .split('\n')
    .map((line) => `  ${line.startsWith('>') ? line : colours.dim(line)}`)
    .join('\n')
}

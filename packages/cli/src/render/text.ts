/** Findings for people: one line each, and the lines of the file around it. */
import { codeFrames, type Diagnostic, printable } from '@joust/source'
import type { FileReport } from '../check-documents.ts'
import type { Colours } from './colours.ts'

/** `file:line:column  error V-005  message`, a code frame below; notes last. */
export function renderText(reports: readonly FileReport[], colours: Colours): string {
  const findings = reports.flatMap((report) => {
    const frameOf = codeFrames(report.text ?? '')
    return report.diagnostics.map((found) =>
      finding(report, found, report.text === undefined ? '' : frameOf(found), colours),
    )
  })
  const notes = reports.flatMap(({ name, note }) =>
    note === undefined ? [] : [`${colours.bold(printable(name))}  ${colours.cyan('note')}  ${printable(note)}\n`],
  )
  return [...findings, ...notes].join('')
}

function finding({ name }: FileReport, found: Diagnostic, frame: string, colours: Colours): string {
  const place = found.line === undefined ? '' : `:${found.line}:${found.column ?? 1}`
  const severity = found.severity === 'error' ? colours.red('error') : colours.yellow('warning')
  const at = found.path === undefined || found.path === '' ? '' : colours.dim(` (${printable(found.path)})`)
  const head = `${colours.bold(printable(name))}${place}  ${severity} ${colours.bold(found.code)}  ${printable(found.message)}${at}\n`
  return frame === '' ? head : `${head}${indent(frame, colours)}\n\n`
}

function indent(frame: string, colours: Colours): string {
  return frame
    .split('\n')
    .map((line) => `  ${line.startsWith('>') ? line : colours.dim(line)}`)
    .join('\n')
}

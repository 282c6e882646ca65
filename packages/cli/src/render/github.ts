/** Findings as workflow commands of GitHub Actions, which shows them beside the line. */
import { type Diagnostic, printable } from '@joust/source'
import type { FileReport } from '../file-report.ts'

/** One `::error …::message` or `::warning …` line per finding, `::notice` for files that were not checked. */
export function renderGithub(reports: readonly FileReport[]): string {
  return reports
    .flatMap(({ name, diagnostics, note }) => [
      ...diagnostics.map((found) => command(found.severity, properties(name, found), found.message)),
      ...(note === undefined ? [] : [command('notice', { file: name, title: 'not checked' }, note)]),
    ])
    .join('')
}

function properties(file: string, { line, column, end_column, code }: Diagnostic): Record<string, string> {
  return {
    file,
    ...(line === undefined ? {} : { line: String(line) }),
    ...(column === undefined ? {} : { col: String(column) }),
    ...(end_column === undefined ? {} : { endColumn: String(end_column) }),
    title: code,
  }
}

function command(name: string, about: Record<string, string>, message: string): string {
  const list = Object.entries(about).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::${name} ${list.join(',')}::${escapeData(message)}\n`
}

function escapeData(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => printable(line).replaceAll('%', '%25'))
    .join('%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

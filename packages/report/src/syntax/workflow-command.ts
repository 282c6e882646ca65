import { printableLines } from './printable-lines.ts'

/** One line that GitHub Actions shows as an annotation; whatever the texts hold, it stays one command. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice',
  about: Readonly<Record<string, string>>,
  message: string,
): string {
  const list = Object.entries(about).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::${name} ${list.join(',')}::${escapeData(message)}\n`
}

function escapeData(text: string): string {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

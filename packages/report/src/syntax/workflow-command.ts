import { printableLines } from './printable-lines.ts'

/** One line that GitHub Actions shows as an annotation; whatever the texts hold, it stays one command. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice',
  about: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const known = Object.entries(about).filter(([, value]) => value !== undefined)
  const list = known.map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::${name} ${list.join(',')}::${escapeData(message)}\n`
}

function escapeData(text: string): string {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

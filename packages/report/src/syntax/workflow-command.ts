import { printableLines } from './printable-lines.ts'

/** Writes a workflow command, an annotation on GitHub Actions. Escaped text cannot start another command. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice',
  about: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const properties = Object.entries(about).filter(([, value]) => value !== undefined)
  const list = properties.map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::${name} ${list.join(',')}::${escapeData(message)}\n`
}

function escapeData(text: string): string {
  return printableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

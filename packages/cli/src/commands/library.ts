/** `joust library list|show`: the built-in attacks. */
import { library, librarySuites, libraryText } from '@joust/library'
import { jsonText, printable } from '@joust/source'
import type { LibraryListOptions } from '../options/choice.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { columnsOf, fit } from '../render/fit.ts'
import { selectAttacks } from '../run/attacks.ts'
import { assets } from '../terminal/assets.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

export async function libraryList(suites: readonly string[], options: LibraryListOptions, io: Io): Promise<number> {
  const unknown = suites.find((word) => !word.startsWith('@'))
  if (unknown !== undefined) {
    const names = librarySuites.map(({ name }) => `@${name}`)
    const message = `${unknown} is not a suite; available: ${names.join(', ')}`
    return wrongUsage([unknownWord(message, `@${unknown}`, names)], io)
  }
  const words = suites.length === 0 ? [assets.library] : suites
  const selected = await selectAttacks(words, options, { ...io, cwd: assets.library })
  if (!selected.ok) return selected.error
  const files = new Set(selected.value.attacks.map(({ file }) => file))
  const rows = library.filter(({ file }) => files.has(file))
  if (options.json) {
    const listed = rows.map(({ id, file, title, severity, category, protocols }) => {
      return { id, file, name: title, severity, category, protocols }
    })
    io.stdout.write(jsonText(listed))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  const { columns = Number.POSITIVE_INFINITY } = io.stdout
  const widest = Math.max(...rows.map(({ title, name }) => columnsOf(`${title} ${name}`)))
  for (const { id, severity, category, protocols, title, name } of rows) {
    const short = `${colours.bold(id.padEnd(10))} ${severity.padEnd(13)}`
    const whole = `${short} ${category.padEnd(24)} ${protocols.join('+').padEnd(16)} ${printable(title)} ${colours.dim(name)}`
    io.stdout.write(columns < WIDE + widest ? `${short} ${fit(printable(title), columns - NARROW)}\n` : `${whole}\n`)
  }
  return exitCodes.ok
}

/** Number of columns before the name on a wide terminal. */
const WIDE = 67
const NARROW = 25

export async function libraryShow(name: string, io: Io): Promise<number> {
  const match = library.find((row) => [row.id, row.file, row.name].includes(name))
  if (match === undefined) {
    const available = library.flatMap((row) => [row.id, row.name])
    const hint = 'run joust library list for the list'
    return wrongUsage([unknownWord(`unknown attack ${name}`, name, available, hint)], io)
  }
  io.stdout.writeData(libraryText(match.name))
  return exitCodes.ok
}

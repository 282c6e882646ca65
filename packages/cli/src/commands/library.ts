/** `joust library list|show`: the built-in attacks. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonText, printable } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import type { LibraryListOptions } from '../options/choice.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { coloursFor } from '../render/colours.ts'
import { columnsOf, fit } from '../render/fit.ts'
import { selectAttacks } from '../run/attacks.ts'
import { protocolsOf } from '../run/filter.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Lists the attacks of the library. */
export async function libraryList(options: LibraryListOptions, io: Io): Promise<number> {
  const selected = await selectAttacks([assets.library], options, { ...io, cwd: assets.library })
  if (!selected.ok) return selected.error
  const rows = selected.value.attacks.map(rowOf)
  if (options.json) {
    io.stdout.write(jsonText(rows))
    return exitCodes.ok
  }
  const colours = coloursFor(io, 'stdout')
  const { columns = Number.POSITIVE_INFINITY } = io.stdout
  const widest = Math.max(...rows.map(({ name, file }) => columnsOf(`${name} ${nameOf(file)}`)))
  for (const { id, file, severity, category, protocols, name } of rows) {
    const short = `${colours.bold(id.padEnd(10))} ${severity.padEnd(13)}`
    const whole = `${short} ${category.padEnd(24)} ${protocols.join('+').padEnd(16)} ${printable(name)} ${colours.dim(nameOf(file))}`
    io.stdout.write(columns < WIDE + widest ? `${short} ${fit(printable(name), columns - NARROW)}\n` : `${whole}\n`)
  }
  return exitCodes.ok
}

/** Columns before the name, on a wide and on a narrow terminal. */
const WIDE = 67
const NARROW = 25

/** Prints one attack, by id or name. */
export async function libraryShow(name: string, io: Io): Promise<number> {
  const selected = await selectAttacks([assets.library], {}, { ...io, cwd: assets.library })
  if (!selected.ok) return selected.error
  const rows = selected.value.attacks.map(rowOf)
  const match = rows.find(({ id, file }) => [id, file, nameOf(file)].includes(name))
  if (match === undefined) {
    const available = rows.flatMap(({ id, file }) => [id, nameOf(file)])
    return wrongUsage(
      [unknownWord(`unknown attack ${name}`, name, available, 'run joust library list for the list')],
      io,
    )
  }
  io.stdout.writeData(await readFile(join(assets.library, match.file), 'utf8'))
  return exitCodes.ok
}

function rowOf({ file, attack: { document } }: SuiteAttack) {
  const { id = '', name, severity, classification, execution } = document.attack
  return {
    id,
    file,
    name,
    severity: severity?.level ?? '',
    category: classification?.category ?? '',
    protocols: protocolsOf(execution.actors),
  }
}

function nameOf(file: string): string {
  return file.replace(/\.oatf\.yaml$/, '')
}

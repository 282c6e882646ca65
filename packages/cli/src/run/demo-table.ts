/** Several targets side by side. */
import type { TargetResults } from '@joust/arena'
import { beginning, printable } from '@joust/source'
import type { Colours } from '../render/colours.ts'
import { outcomeText } from '../render/outcome-text.ts'

/** How many characters of a name are shown. */
const WIDEST = 52
const CELL = 15

/** A row per attack, a column per target, and how many attacks each of them survived. */
export function renderSideBySide(
  all: readonly { readonly title: string; readonly target: TargetResults }[],
  colours: Colours,
): string {
  const attacks = all[0]?.target.attacks ?? []
  const width = Math.min(WIDEST, Math.max(10, ...attacks.map(({ attack }) => attack.name.length)))
  const head = `${'attack'.padEnd(width)}  ${all.map(({ title }) => title.padEnd(CELL)).join('')}`
  const rows = attacks.map(({ file, attack }) => {
    const cells = all.map(({ target }) => cell(target, file, colours))
    return `${printable(beginning(attack.name, width)).padEnd(width)}  ${cells.join('')}`
  })
  const sums = all.map(({ target }) => {
    const resisted = target.attacks.filter(({ outcome }) => outcome === 'resisted').length
    return `${resisted} of ${target.attacks.length}`.padEnd(CELL)
  })
  return [colours.bold(head), ...rows, colours.bold(`${'resisted'.padEnd(width)}  ${sums.join('')}`), ''].join('\n')
}

function cell({ attacks }: TargetResults, file: string, colours: Colours): string {
  const found = attacks.find((attack) => attack.file === file)
  return outcomeText(found?.outcome ?? 'inconclusive', colours, CELL)
}

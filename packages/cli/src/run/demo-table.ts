/** Several targets side by side. */
import type { Results } from '@joust/arena'
import { printable } from '@joust/source'
import type { Colours } from '../render/colours.ts'

/** How many characters of a name are shown. */
const WIDEST = 52
const CELL = 15

/** A row per attack, a column per target, and how many attacks each of them survived. */
export function renderSideBySide(
  all: readonly { readonly title: string; readonly results: Results }[],
  colours: Colours,
): string {
  const [first] = all
  const width = Math.min(
    WIDEST,
    Math.max(10, ...(first?.results.attacks ?? []).map(({ attack }) => attack.name.length)),
  )
  const head = `${'attack'.padEnd(width)}  ${all.map(({ title }) => title.padEnd(CELL)).join('')}`
  const rows = (first?.results.attacks ?? []).map(({ file, attack }) => {
    const cells = all.map(({ results }) => cell(results, file, colours))
    return `${printable(attack.name.slice(0, width)).padEnd(width)}  ${cells.join('')}`
  })
  const sums = all.map(({ results }) => {
    const resisted = results.attacks.filter(({ verdict }) => verdict.result === 'not_exploited').length
    return `${resisted} of ${results.attacks.length}`.padEnd(CELL)
  })
  return [colours.bold(head), ...rows, colours.bold(`${'resisted'.padEnd(width)}  ${sums.join('')}`), ''].join('\n')
}

function cell({ attacks }: Results, file: string, colours: Colours): string {
  const result = attacks.find((attack) => attack.file === file)?.verdict.result ?? 'error'
  const word = result.padEnd(CELL)
  if (result === 'not_exploited') return colours.green(word)
  return result === 'error' ? colours.yellow(word) : colours.red(word)
}

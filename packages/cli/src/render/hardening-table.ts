/** The outcome of hardening, as a table for a terminal. */
import type { HardenedAttack, ResultHardening } from '@joust/arena'
import { beginning, count, printable } from '@joust/source'
import type { Colours } from './colours.ts'
import { cell, columnsOf } from './fit.ts'

const WIDEST = 60
const NARROWEST = 8
const CELL = 14
const WIDEST_STATUS = 'undecided'.length

/** Attacks with what became of them, the restraints, what is still open, the cost. Narrow terminals cut names. */
export function renderHardening(
  hardening: ResultHardening,
  names: ReadonlyMap<string, string>,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { attacks, restraints, stopped } = hardening
  const nameOf = ({ file }: HardenedAttack) => printable(beginning(names.get(file) ?? file, WIDEST))
  const room = Math.max(NARROWEST, columns - 2 - 3 * CELL - WIDEST_STATUS)
  const width = Math.min(room, Math.max('attack'.length, ...attacks.map((one) => columnsOf(nameOf(one)))))
  const row = (name: string, cells: readonly string[], status: string) =>
    `${cell(name, width)}  ${cells.map((text) => text.padEnd(CELL)).join('')}${status}`
  const head = row('attack', ['before', 'after', 'task'], 'status')
  const rows = attacks.map((one) => row(nameOf(one), [one.before, afterText(one), taskText(one)], one.status))
  const list = restraints.map(({ text, file, weak }, index) => {
    const note = weak ? colours.bold(' (weak: a model may not listen)') : ''
    return `  ${index + 1}. ${printable(text)}${note} ${colours.dim(printable(file))}`
  })
  const open = attacks.flatMap((one) =>
    one.reason === undefined ? [] : [`  ${nameOf(one)}: ${printable(one.reason)}`],
  )
  return [
    [colours.bold(head), ...rows].join('\n'),
    ...(list.length === 0 ? [] : [[colours.bold('restraints'), ...list].join('\n')]),
    ...(open.length === 0 ? [] : [[colours.bold('not stopped'), ...open].join('\n')]),
    totals(hardening),
    ...(stopped === undefined ? [] : [`NOT COMPLETE: ${printable(stopped)}`]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** A bait that no longer reaches the agent leaves nothing to resist. */
function afterText({ after, status }: HardenedAttack): string {
  return status === 'stopped' && after === 'inconclusive' ? 'not reached' : (after ?? '–')
}

function taskText({ task }: HardenedAttack): string {
  if (task === undefined) return 'none'
  const { before, after } = task
  const now = after === undefined ? '' : ` → ${after.done}/${after.of}`
  return `${before.done}/${before.of}${now}`
}

function totals({ attacks, restraints, cost }: ResultHardening): string {
  const through = attacks.filter(({ status, before }) => status !== 'harmless' && before !== 'inconclusive')
  const done = attacks.filter(({ status }) => status === 'stopped')
  const what =
    through.length === 0
      ? nothing(attacks)
      : `stopped: ${done.length} of ${count(through.length, 'attack')} that got through, by ${count(restraints.length, 'restraint')}`
  const { sets, runs, calls, tokens } = cost
  return `${what}\ncost: ${count(sets, 'set')} tried, ${count(runs, 'run')}, ${count(calls, 'model call')}, ${count(tokens, 'token')}`
}

/** About what could not be judged nothing is known, least of all that it was stopped. */
function nothing(attacks: ResultHardening['attacks']): string {
  const unknown = attacks.filter(({ status }) => status === 'undecided').length
  if (unknown === 0) return 'nothing got through'
  const rest = unknown < attacks.length ? '; nothing else got through' : ''
  return `${count(unknown, 'attack')} could not be judged${rest}`
}

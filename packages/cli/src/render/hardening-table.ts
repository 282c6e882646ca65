import type { HardenedAttack, ResultHardening } from '@joust/results'
import { beginning, count, printable } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { cell, columnsOf, wrap } from './fit.ts'

const WIDEST = 60
const NARROWEST = 8
const CELL = 14
const WIDEST_STATUS = 'undecided'.length

/** Renders attacks with outcomes, the restraints, the remaining attacks and the cost. Long names are truncated. */
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
  const list = restraints.flatMap(({ text, file, weak }, index) => {
    const line = `${printable(text)}${weak ? ` ${WEAK}` : ''} (${printable(file)})`
    return hanging(`  ${index + 1}. `, line, columns).map((one) => one.replace(WEAK, colours.bold(WEAK)))
  })
  const open = attacks.flatMap((one) =>
    one.reason === undefined ? [] : hanging('  ', `${nameOf(one)}: ${printable(one.reason)}`, columns),
  )
  const blocks = [
    [colours.bold(head), ...rows].join('\n'),
    ...(list.length === 0 ? [] : [[colours.bold('restraints'), ...list].join('\n')]),
    ...(open.length === 0 ? [] : [[colours.bold('not stopped'), ...open].join('\n')]),
    totals(hardening),
    ...(stopped === undefined ? [] : [`INCOMPLETE: ${printable(stopped)}`]),
  ]
  return `${blocks.join('\n\n')}\n`
}

const WEAK = '(weak: a model may ignore instructions)'

function hanging(lead: string, text: string, columns: number): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(20, columns - lead.length))
  return [`${lead}${first}`, ...rest.map((line) => `${' '.repeat(lead.length)}${line}`)]
}

/** Renders the outcome after hardening. An attack whose bait no longer reaches the agent is stopped. */
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
  const successful = attacks.filter(({ status, before }) => status !== 'harmless' && before !== 'inconclusive')
  const done = attacks.filter(({ status }) => status === 'stopped')
  const what =
    successful.length === 0
      ? nothing(attacks)
      : `stopped: ${done.length} of ${count(successful.length, 'successful attack')}, with ${count(restraints.length, 'restraint')}`
  const { sets, runs, calls, tokens } = cost
  return `${what}\ncost: ${count(sets, 'set')} tried, ${count(runs, 'run')}, ${count(calls, 'model call')}, ${count(tokens, 'token')}`
}

/** Returns the summary if no attack succeeded. Attacks that could not be judged do not count as stopped. */
function nothing(attacks: ResultHardening['attacks']): string {
  const unknown = attacks.filter(({ status }) => status === 'undecided').length
  if (unknown === 0) return 'no attack succeeded'
  const rest = unknown < attacks.length ? '; no other attack succeeded' : ''
  return `${count(unknown, 'attack')} could not be judged${rest}`
}

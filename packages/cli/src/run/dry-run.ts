/** `joust run --dry-run`: who would be wired to whom, and what would be sent. Nothing is opened. */
import type { ResultTarget } from '@joust/arena'
import type { Actor, Phase } from '@joust/oatf'
import { isList, isRecord, own, printable, type Value } from '@joust/source'
import type { Io } from '../io.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import type { SelectedAttack } from './attacks.ts'

/** Prints the plan of every attack. */
export function printDryRun(attacks: readonly SelectedAttack[], target: ResultTarget, io: Io): void {
  const colours = coloursFor(io, 'stdout')
  io.stdout.write(`target: ${target.kind} ${printable(target.name)}\n`)
  for (const { file, document } of attacks) {
    const { name, execution, indicators = [] } = document.attack
    io.stdout.write(`\n${colours.bold(printable(name ?? ''))}  ${colours.dim(printable(file))}\n`)
    for (const actor of execution.actors ?? []) io.stdout.write(actorLines(actor, target, colours))
    const count =
      indicators.length === 0 ? 'no indicators: the verdict would be an error' : `${indicators.length} indicators`
    io.stdout.write(`  ${count}\n`)
  }
}

function actorLines({ name, mode, phases }: Actor, target: ResultTarget, colours: Colours): string {
  const where = mode.endsWith('_server') ? 'listens, and is found by' : 'connects to'
  const head = `  ${printable(name)} (${printable(mode)}) ${where} ${target.kind === 'none' ? 'nobody in particular' : `the ${target.kind}`}`
  return [head, ...phases.map((phase) => `    ${phaseLine(phase, colours)}`), ''].join('\n')
}

function phaseLine({ name, state, trigger, on_enter = [] }: Phase, colours: Colours): string {
  const entry = on_enter.map((action) => Object.keys(action)[0] ?? '').join(', ')
  const parts = [printable(name ?? ''), offered(state ?? null), ...(entry === '' ? [] : [`on entry ${entry}`])]
  const next =
    trigger === undefined
      ? 'until the end'
      : `until ${[trigger.event, trigger.after].filter(Boolean).join(' or after ')}`
  return `${parts.filter((part) => part !== '').join(': ')} ${colours.dim(next)}`
}

/** What a state puts on the wire, by name. */
function offered(state: Value): string {
  if (!isRecord(state)) return ''
  return Object.entries(state)
    .map(([key, value]) => `${key} ${isList(value) ? `[${value.map(label).join(', ')}]` : ''}`.trim())
    .join(', ')
}

function label(item: Value): string {
  if (!isRecord(item)) return '…'
  const name = own(item, 'name') ?? own(item, 'method') ?? own(item, 'uri') ?? own(item, 'message')
  return typeof name === 'string' ? printable(name.slice(0, 40)) : '…'
}

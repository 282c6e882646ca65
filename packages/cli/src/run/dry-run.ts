/** `joust run --dry-run`: prints the planned connections and messages without opening anything. */
import { needsOf } from '@joust/arena'
import { type Actor, type Phase, roleOf } from '@joust/oatf'
import { count, cut, isList, isRecord, own, printable, type Value } from '@joust/source'
import { slotsFor } from '@joust/targets'
import type { SuiteAttack } from '@joust/trials'
import type { TargetOptions } from '../options/run.ts'
import { gatewayText, slotOf } from '../target/gateway.ts'
import { servedModelText } from '../target/model-access.ts'
import { previewOf, unplayed } from '../target/preview.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import { throughText } from '../target/through.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import type { Io } from '../terminal/io.ts'

export function printDryRun(attacks: readonly SuiteAttack[], target: TargetPlan, options: TargetOptions, io: Io): void {
  const colours = coloursFor(io, 'stdout')
  io.stdout.write(`target: ${target.about.kind} ${printable(target.about.name)}\n`)
  const { gateway, served, service } = target
  const { serve, restart = 'never, unless the preflight shows that the agent lists its tools once' } =
    target.about.details ?? {}
  if (service !== undefined) io.stdout.write(`serve: ${printable(serve ?? '')}\nrestart: ${restart}\n`)
  else if (served !== undefined) io.stdout.write(servedModelText(served, options))
  const loaded = attacks.map(({ attack }) => attack)
  const slots = slotsFor(loaded, target.through?.servers.length)
  if (target.through !== undefined) io.stdout.write(throughText(target.through))
  if (gateway !== undefined && service === undefined)
    io.stdout.write(gatewayText(gateway, slots, options.gatewayHeader))
  for (const { file, attack } of attacks) {
    const { name, execution, indicators = [] } = attack.document.attack
    const { actors } = execution
    io.stdout.write(`\n${colours.bold(printable(name))}  ${colours.dim(printable(file))}\n`)
    for (const actor of actors)
      io.stdout.write(actorLines(actor, target, slotOf(actor, actors, options.gateway && gateway), options, colours))
    for (const lack of target.lacks?.(needsOf(attack)) ?? [])
      io.stdout.write(`  ${printable(`not applicable: ${lack}`)}\n`)
    for (const line of lastLines(actors, indicators.length, target, options)) io.stdout.write(`  ${printable(line)}\n`)
  }
}

function actorLines(
  actor: Actor,
  { about, declared }: TargetPlan,
  slot: string | undefined,
  options: TargetOptions,
  colours: Colours,
): string {
  const how = slot === undefined || Object.hasOwn(options.listen, actor.name)
  const head = `  ${actor.name} (${actor.mode}) ${how ? previewOf(actor, options, about, declared) : `at ${slot}`}`
  return [printable(head), ...actor.phases.map((phase) => `    ${phaseLine(phase, colours)}`), ''].join('\n')
}

function lastLines(
  actors: readonly Actor[],
  indicators: number,
  { about, declared }: TargetPlan,
  options: TargetOptions,
): string[] {
  const isPrompted = ['agent', 'model', 'command', 'acp', 'endpoint'].includes(about.kind)
  const alone = isPrompted && !actors.some(({ mode }) => roleOf(mode) === 'client')
  return [
    ...unplayed(actors, options, declared).map(
      (alias) =>
        `no actor for \`${alias}\` of the agent; unless joust.yaml binds \`${alias}\`, the agent cannot use it`,
    ),
    ...(alone ? [`prompt: ${options.prompt ?? 'the default prompt'}`] : []),
    indicators === 0 ? 'no indicators: the verdict would be an error' : count(indicators, 'indicator'),
  ]
}

function phaseLine({ name, state, trigger, on_enter = [] }: Phase, colours: Colours): string {
  const entry = on_enter.map((action) => Object.keys(action)[0] ?? '').join(', ')
  const parts = [printable(name ?? ''), offered(state ?? null), ...(entry === '' ? [] : [`on entry ${entry}`])]
  const waits = [trigger?.event, trigger?.after].filter((part) => part !== undefined)
  const next = trigger === undefined ? 'until the end' : `until ${waits.join(' or after ')}`
  return `${parts.filter((part) => part !== '').join(': ')} ${colours.dim(next)}`
}

function offered(state: Value): string {
  if (!isRecord(state)) return ''
  return Object.entries(state)
    .map(([key, value]) => `${key} ${isList(value) ? `[${value.map(label).join(', ')}]` : lastText(value)}`.trim())
    .join(', ')
}

function lastText(value: Value): string {
  const messages = own(value, 'messages')
  const last = isList(messages) ? messages.at(-1) : undefined
  const content = own(last, 'content')
  return typeof content === 'string' ? `"${printable(cut(content, 60))}"` : ''
}

function label(item: Value): string {
  if (!isRecord(item)) return '…'
  const name = own(item, 'name') ?? own(item, 'method') ?? own(item, 'uri') ?? own(item, 'message')
  return typeof name === 'string' ? printable(cut(name, 40)) : '…'
}

/** `joust preflight [ATTACK…] [target]`: checks a target without attacking it. */
import {
  type Channel,
  type ChannelState,
  channelName,
  channels,
  type Redacted,
  type ResultPreflight,
  redactPreflight,
} from '@joust/results'
import { jsonText, printable } from '@joust/source'
import { attackOptionsOf } from '@joust/trials'
import type { GivenOptions } from '../options/read.ts'
import { blockLines, INDENT, messageLines } from '../render/outcome-text.ts'
import { type PreparedRun, type PreparedTarget, prepareGiven } from '../run/prepare.ts'
import { untilStopped } from '../run/suite.ts'
import { tryAddresses } from '../target/gateway.ts'
import { whileOpen } from '../target/target-plan.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell } from '../terminal/io.ts'

/** A target with its preflight result, which is null if the target has no preflight. */
interface CheckedTarget {
  readonly target: string
  readonly preflight: Redacted<ResultPreflight> | null
}

/** Runs the preflight of each target; returns 1 if one fails. Calls `onChecked` with each result. */
export async function preflight(
  paths: readonly string[],
  given: GivenOptions,
  io: Io,
  onChecked: (checked: CheckedTarget) => void = () => undefined,
): Promise<number> {
  const prepared = await prepareGiven(paths, given, io, ['library'])
  if (!prepared.ok) return prepared.error
  return untilStopped(io, async (signal) => {
    const { options, targets } = prepared.value
    await tryAddresses(targets.map(({ chosen }) => chosen.options))
    const checked: CheckedTarget[] = []
    for (const target of targets) {
      const result = (await check(prepared.value, target, signal, io)) ?? null
      if (signal.aborted) return exitCodeOf(signal)
      const one = { target: target.plan.about.name, preflight: result }
      checked.push(one)
      onChecked(one)
      if (!options.json) io.stdout.write(preflightTable(target.plan.about.name, result, coloursFor(io, 'stdout'), io))
    }
    if (options.json) io.stdout.write(jsonText(checked))
    return checked.some((one) => one.preflight?.status === 'failed') ? exitCodes.findings : exitCodes.ok
  })
}

async function check(
  { options, selection, redactor }: PreparedRun,
  { plan, suite }: PreparedTarget,
  signal: AbortSignal,
  io: Io,
): Promise<Redacted<ResultPreflight> | undefined> {
  const { runPreflight, slotsFor } = await import('@joust/targets')
  const run = { file: 'preflight', arm: 'attack', trial: 1, isPreflight: true, spend() {} } as const
  const attacks = selection.attacks.map(({ attack }) => attack)
  const result = await whileOpen(plan, slotsFor(attacks), signal, () =>
    runPreflight(attacks, {
      optionsFor: (attack) => attackOptionsOf(suite.run, { ...run, attack }, signal),
      skip: undefined,
      onStart: () => options.quiet || tell(io, `${plan.about.name}: sending harmless requests`),
      turns: true,
    }),
  )
  return result && redactPreflight(result, redactor)
}

const NONE = 'no preflight for this kind of target: Joust runs the model itself, or no attack applies to the target'

const states = {
  yes: 'reaches the model',
  declared: 'declared for the target',
  no: 'does not reach the model',
  unknown: 'not known: the agent did not repeat the text, and its model was not observed',
} as const

const UNFETCHED = 'not known: the agent never fetched the text'

/** Shown for a channel that is unknown although model calls were observed. */
const UNSEEN = 'not known: the channel was not checked, or not all requests to the model could be read'

function stateText(channel: Channel, state: ChannelState, { unfetched = [], usage }: ResultPreflight): string {
  if (state !== 'unknown') return states[state]
  if (unfetched.includes(channel)) return UNFETCHED
  return usage === undefined ? states.unknown : UNSEEN
}

const memories = { yes: 'remembers the first message', no: 'forgets the first message', unknown: 'not known' } as const

const listings = {
  each_run: 'listed in each run',
  once: 'listed only once: the agent is restarted for each run',
} as const

function preflightTable(name: string, result: ResultPreflight | null, colours: Colours, io: Io): string {
  const head = colours.bold(printable(name))
  if (result === null) return `${head}\n${INDENT}${NONE}\n`
  const { status, asked, reasons, remembers, lists_tools, channels: found = {}, usage } = result
  const works = asked === 'answer' ? 'answer' : 'tool call'
  const isFailed = status === 'failed'
  const rows: [string, string][] = [
    ...(status === 'skipped' ? [] : [[works, isFailed ? 'failed' : 'ok'] satisfies [string, string]]),
    ...(remembers === undefined ? [] : [['memory', memories[remembers]] satisfies [string, string]]),
    ...(lists_tools === undefined ? [] : [['tools', listings[lists_tools]] satisfies [string, string]]),
    ...channels.flatMap((channel: Channel): [string, string][] => {
      const state = found[channel]
      return state === undefined ? [] : [[channelName(channel), stateText(channel, state, result)]]
    }),
    ...(usage === undefined
      ? []
      : [['tokens', `${usage.input_tokens} in, ${usage.output_tokens} out`] satisfies [string, string]]),
  ]
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `${INDENT}${left.padEnd(width)}  ${right}`)
  const columns = io.stdout.columns ?? Number.POSITIVE_INFINITY
  const why = reasons.flatMap((reason) => {
    const message = messageLines(reason, columns - INDENT.length).map((line) => `${INDENT}${line}`)
    return [...(isFailed ? message.map(colours.red) : message), ...blockLines(reason, colours, columns)]
  })
  return `${[head, ...lines, ...why].join('\n')}\n`
}

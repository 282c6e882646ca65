/**
 * `joust evaluate ATTACK… --trace spans.json`: evaluates indicators on OpenTelemetry spans from an agent in production.
 * There is no bait in production, so there are verdicts and matches, but no outcomes.
 */
import { resolve } from 'node:path'
import { judge } from '@joust/arena'
import { type Attack, type AttackVerdict, createCelEvaluator } from '@joust/oatf'
import {
  type Judgement,
  messagesOf,
  productionEntries,
  type Span,
  type TraceEntry,
  verdictCode,
  worstCode,
} from '@joust/results'
import { count, err, jsonText, messageOf, printable, type Result } from '@joust/source'
import type { EvaluateOptions } from '../options/results.ts'
import { renderVerdict } from '../render/verdict.ts'
import { selectAttacks } from '../run/attacks.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { noVerdict } from './evaluate.ts'
import { readSpans } from './span-file.ts'

/** Prints the attacks with a match; returns 0 if there are none. */
export async function evaluateProduction(
  paths: readonly string[],
  options: EvaluateOptions & { readonly trace: string },
  io: Io,
): Promise<number> {
  if (options.judge !== undefined) return wrongUsage(['--judge is not supported for OpenTelemetry spans'], io)
  if (options.out !== undefined) return wrongUsage(['--out needs a folder of traces'], io)
  const selected = await selectAttacks(paths, { strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  const spans = spansAt(resolve(io.cwd, options.trace))
  if (!spans.ok) return noVerdict(`${options.trace}: ${spans.error}`, io)
  const { messages, notRecorded } = messagesOf(spans.value)
  if (notRecorded > 0)
    tell(io, `${count(notRecorded, 'span')} without recorded content: enable message capture in the instrumentation`)
  if (messages.length === 0)
    return noVerdict(`${options.trace}: no messages or tool calls in ${count(spans.value.length, 'span')}`, io)
  return io.stoppable(async (signal) => {
    const evaluators = { cel: createCelEvaluator(), signal }
    const verdicts: Evaluated[] = []
    for (const { file, attack } of attacks) {
      if (signal.aborted) break
      const entries = productionEntries(messages, attack.document)
      const verdict = await judge(attack, entries, evaluators)
      const traces = tracesOf(verdict, entries)
      verdicts.push({ file, verdict, traces })
      if (!options.json && hasMatch(verdict)) printMatch({ file, verdict, traces }, attack.document.attack, io)
    }
    if (options.json)
      io.stdout.write(jsonText(verdicts.map(({ file, verdict, traces }) => ({ file, ...verdict, traces }))))
    const matched = verdicts.filter(({ verdict }) => hasMatch(verdict))
    const failed = verdicts.filter(({ verdict }) => verdict.evaluation_summary.error > 0)
    if (failed.length > 0)
      tell(
        io,
        `${count(failed.length, 'attack')} with indicators that could not be evaluated; see --json for the errors`,
      )
    tell(
      io,
      `${count(messages.length, 'message')} in ${count(spans.value.length, 'span')}: ${matched.length} of ${count(verdicts.length, 'attack')} matched`,
    )
    if (signal.aborted) return exitCodeOf(signal)
    const codes = [...matched.map(({ verdict }) => verdictCode(verdict)), ...broken.map(() => exitCodes.inconclusive)]
    return codes.length === 0 ? exitCodes.ok : worstCode(codes)
  })
}

interface Evaluated {
  readonly file: string
  readonly verdict: Judgement
  readonly traces: readonly string[]
}

function printMatch({ file, verdict, traces }: Evaluated, attack: Attack, io: Io): void {
  const colours = coloursFor(io, 'stdout')
  io.stdout.write(`${colours.bold(printable(file))}\n`)
  io.stdout.write(renderVerdict(attack, verdict, colours))
  io.stdout.write(`${count(traces.length, 'trace')}: ${printable(traces.join(', '))}\n`)
}

/** Returns the ids of the traces that contain the first match of each indicator. */
function tracesOf({ indicator_verdicts }: Judgement, entries: readonly TraceEntry[]): readonly string[] {
  const sessions = indicator_verdicts.flatMap(({ result, entry }) =>
    result === 'matched' && entry !== undefined ? (entries[entry.seq - 1]?.session ?? []) : [],
  )
  return [...new Set(sessions)]
}

function hasMatch({ indicator_verdicts }: AttackVerdict): boolean {
  return indicator_verdicts.some(({ result }) => result === 'matched')
}

function spansAt(path: string): Result<Span[], string> {
  try {
    return readSpans(path)
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

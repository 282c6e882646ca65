/** `joust record -- COMMAND…`: records the traffic between an agent and its servers, clients and model. */
import { writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import {
  type Recording,
  type ReplacedConfig,
  replaceConfig,
  SESSION_FILE,
  startAgent,
  startRecorder,
  TRACE_FILE,
} from '@joust/authoring'
import { onAbort } from '@joust/io'
import type { EndReason } from '@joust/results'
import { count, messageOf, printable } from '@joust/source'
import type { RecordOptions } from '../options/authoring.ts'
import { selectAttacks } from '../run/attacks.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { createFindings, type Findings } from './record-findings.ts'
import { planRecord, type RecordPlan } from './record-plan.ts'

/** Records until the agent exits or, without a command, until a signal arrives. */
export async function record(words: readonly string[], options: RecordOptions, io: Io): Promise<number> {
  const plan = await planRecord(words, options, io)
  if (!plan.ok) return typeof plan.error === 'number' ? plan.error : wrongUsage(plan.error, io)
  const selection = options.watch.length === 0 ? undefined : await selectAttacks(options.watch, { quiet: true }, io)
  if (selection?.ok === false) return selection.error
  // The findings have been printed. A recording must not start with an incomplete watch list.
  if (selection !== undefined && selection.value.broken.length > 0) return exitCodes.usage
  const findings = createFindings(selection?.value.attacks ?? [], io)
  return io.stoppable(async (signal) => {
    try {
      return await recordWith(plan.value, findings, options, signal, io)
    } catch (thrown) {
      return giveUp(`cannot record: ${messageOf(thrown)}`, io)
    }
  })
}

async function recordWith(
  plan: RecordPlan,
  findings: Findings,
  options: RecordOptions,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { config, peers, tokens } = plan
  const folder = resolve(io.cwd, options.out)
  const notes: string[] = []
  const started = await startRecorder({
    ...{ folder, peers, tokens, environment: io.env, redact: { patterns: options.redact, secrets: plan.secrets } },
    ...(config && { config }),
    ...(plan.task !== undefined && { task: plan.task }),
    onEntry: findings.take,
    onNote(note) {
      notes.push(note)
      tell(io, note)
    },
  })
  if (!started.ok) return wrongUsage([started.error], io)
  const recording = started.value
  findings.open(recording.hide)
  let code: number = exitCodes.failure
  let ended: EndReason = 'failed'
  let isWritten = false
  try {
    code = await runAgent(plan, recording, options, signal, io)
    ended = signal.aborted && plan.command !== undefined ? 'interrupted' : 'done'
  } finally {
    const closed = await recording.close(ended)
    if (!closed.ok && !notes.some((note) => note.startsWith(closed.error))) tell(io, closed.error)
    isWritten = closed.ok
  }
  await findings.close()
  if (!options.quiet) tell(io, summaryOf(recording, options))
  if (signal.aborted && plan.command !== undefined) return exitCodeOf(signal)
  if (!isWritten) return exitCodes.failure
  if (code !== exitCodes.ok) return code
  if (findings.count() > 0) return exitCodes.findings
  return findings.isPartial ? exitCodes.inconclusive : code
}

/** Runs the agent with the rewritten configuration; returns its exit code. */
async function runAgent(
  plan: RecordPlan,
  recording: Recording,
  options: RecordOptions,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { config, command, openModel } = plan
  const model = await openModel?.({ listedTools: () => [] }, { onCall: recording.recordModel })
  let replaced: ReplacedConfig | undefined
  try {
    const rewritten = recording.config
    const usesCopy = command === undefined || plan.namesConfig
    // The copy contains the original values, so it is written to the private folder, which is removed at the end.
    const copy = config && join(recording.scratch, basename(config.path))
    if (copy !== undefined && rewritten !== undefined) writeFileSync(copy, rewritten, { mode: 0o600 })
    if (config && rewritten !== undefined && !usesCopy) replaced = replaceConfig(config.path, config.text, rewritten)
    const values = new Map([
      ...Object.entries(recording.addresses).map(([name, url]) => [`${name}.url`, url] as const),
      ...(copy === undefined ? [] : [['mcp_config', copy] as const]),
      ...(model === undefined ? [] : [['model_url', model.url] as const]),
    ])
    if (!options.quiet) tellStart(plan, recording, replaced !== undefined, io)
    if (command === undefined) return await serve({ plan, recording, copy }, signal, io)
    const env = {
      ...io.env,
      ...plan.env,
      ...Object.fromEntries(Object.entries(recording.addresses).map(([name, url]) => [urlVariable(name), url])),
      ...(copy !== undefined && { MCP_CONFIG: copy }),
      ...model?.env,
    }
    const input = plan.input === undefined ? {} : { input: plan.input }
    return await untilEnd({ command: command(values), cwd: plan.cwd, env, ...input }, signal, io)
  } finally {
    await model?.close()
    const notice = replaced?.restore()
    if (notice !== undefined) tell(io, notice)
  }
}

async function untilEnd(options: Parameters<typeof startAgent>[0], signal: AbortSignal, io: Io): Promise<number> {
  const agent = startAgent(options)
  const stop = onAbort(signal, () => void agent.end())
  if (signal.aborted) void agent.end()
  try {
    return await agent.exited
  } catch (thrown) {
    return giveUp(`cannot start ${printable(options.command[0] ?? '')}: ${messageOf(thrown)}`, io)
  } finally {
    stop()
    await agent.end()
  }
}

async function serve(
  { recording, copy }: { readonly plan: RecordPlan; readonly recording: Recording; readonly copy: string | undefined },
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  for (const [name, url] of Object.entries(recording.addresses)) io.stdout.write(`${printable(name)} ${url}\n`)
  if (copy !== undefined) io.stdout.write(`${copy}\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    onAbort(signal, resolve)
  })
  return exitCodes.ok
}

function urlVariable(name: string): string {
  return `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_URL`
}

function tellStart({ config }: RecordPlan, { servers }: Recording, isReplaced: boolean, io: Io): void {
  const names = servers.length === 0 ? 'no MCP servers' : servers.map(printable).join(', ')
  tell(io, `recording ${names}${config === undefined ? '' : ` from ${config.path}`}`)
  if (isReplaced && config) tell(io, `${config.path} is rewritten while the agent runs, and restored at the end`)
}

function summaryOf(recording: Recording, { out }: RecordOptions): string {
  const { messages, calls } = recording.counts()
  const parts = [count(messages, 'message'), ...(calls > 0 ? [count(calls, 'model call')] : [])]
  return `recorded ${parts.join(' and ')}: ${join(out, TRACE_FILE)}, ${join(out, SESSION_FILE)}`
}

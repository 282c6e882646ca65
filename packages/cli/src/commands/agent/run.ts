/** `joust agent run FILE --input JSON`: runs an agent once. */
import { resolve } from 'node:path'
import type { InterfaceSchema } from '@joust/agentformat'
import { sha256 } from '@joust/io'
import { inputFromText, type JournalOptions, type RunCode, type RunError, type RunResult } from '@joust/runtime'
import { cut, err, jsonText, ok, parseJson, type Result, readExactDoubles, type Value } from '@joust/source'
import { BY_CLIENT, NO_CLIENT } from '../../agent/approver.ts'
import { loadAgentFile } from '../../agent/load-agent-file.ts'
import { type OpenedAgent, type OpenFault, readAgentText } from '../../agent/open-agent.ts'
import { openRuntime } from '../../agent/open-runtime.ts'
import { printText, type TextPrinter } from '../../agent/print-text.ts'
import { tellFault } from '../../agent/run-faults.ts'
import { readText, STDIN } from '../../input/read.ts'
import type { AgentRunOptions } from '../../options/agent.ts'
import { findProject } from '../../project/find.ts'
import { watchFiles } from '../../run/watch.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** Runs the agent. Prints the output as JSON to stdout, everything else to stderr. */
export async function run(path: string, options: AgentRunOptions, io: Io): Promise<number> {
  if (!options.watch) return runOnce(path, options, io)
  if (path === STDIN || options.input === STDIN) return wrongUsage(['--watch cannot watch standard input'], io)
  return io.stoppable(async (signal) => {
    const { follow, changes } = watchFiles(signal)
    const again = async () => {
      // Before the run, so that no change during it is missed.
      follow(await watchedFiles(path, options, io))
      await runOnce(path, options, io)
      if (!options.quiet && !signal.aborted) tell(io, 'watching for changes; Ctrl-C stops')
    }
    await again()
    for await (const _ of changes) await again()
    return exitCodeOf(signal)
  })
}

/** Returns the files to watch. Omits tool modules, because they are loaded only once per process. */
async function watchedFiles(path: string, { input, config, root }: AgentRunOptions, io: Io): Promise<string[]> {
  const quiet = { ...io, stderr: { ...io.stderr, write: () => {} } }
  const entry = await readAgentText(path, quiet)
  const agents = entry.ok ? (await loadAgentFile(entry.value, quiet, { root })).paths : [resolve(io.cwd, path)]
  const project = await findProject(config, io)
  const projectFiles = project.ok && project.value !== undefined ? [project.value.path] : []
  return [...agents, ...projectFiles, ...(input.startsWith('@') ? [resolve(io.cwd, input.slice(1))] : [])]
}

async function runOnce(path: string, options: AgentRunOptions, io: Io): Promise<number> {
  if (path === STDIN && options.input === STDIN) {
    const message = 'the agent and its input cannot both come from standard input'
    const error = { code: 'input_validation', message, agent: [] } as const
    return refuse({ exitCode: wrongUsage([message], io), error }, options, io)
  }
  if (options.approve === BY_CLIENT) {
    const error = { code: 'config_invalid', message: NO_CLIENT, agent: [] } as const
    return refuse({ exitCode: wrongUsage([NO_CLIENT], io), error }, options, io)
  }
  // Standard input is read before the agent is opened.
  const text = await readInputText(options.input, io)
  if (!text.ok) return refuse(text.error, options, io)
  const opened = await openRuntime(path, options, io, { brief: options.stream })
  if (!opened.ok) return refuse(opened.error, options, io)
  const input = readInput(text.value, io, opened.value.agent.document.interface.input)
  if (!input.ok) {
    await opened.value.close()
    return refuse(input.error, options, io)
  }
  const { agent, runtime, close, hide, secrets } = opened.value
  const journal = await journalOf(options, secrets, io)
  return io.stoppable(async (signal) => {
    const { memory: memoryScope } = options
    const printer = options.stream ? printText(agent, io) : undefined
    if (printer !== undefined) opened.value.listen(printer.onEvent)
    const more = { ...(journal && { journal }), ...(printer && { stream: true }) }
    const result = await runtime.run(agent, input.value, { signal, memoryScope, ...more })
    await close()
    const code = conclude(hide(result), opened.value, options, io, printer)
    return signal.aborted ? exitCodeOf(signal) : code
  })
}

function refuse({ exitCode, error }: OpenFault, { json }: AgentRunOptions, io: Io): number {
  if (json) io.stdout.write(jsonText({ ok: false, error }))
  return exitCode
}

const resumable: ReadonlySet<RunCode> = new Set(['cancelled', 'model_failed', 'journal_failed'])

async function journalOf(
  { journal, model, script }: AgentRunOptions,
  secrets: readonly string[],
  io: Io,
): Promise<JournalOptions | undefined> {
  if (journal === undefined) return undefined
  const turns = script === undefined ? undefined : await readText(resolve(io.cwd, script), io)
  const facts = {
    ...(model === undefined ? {} : { '--model': model }),
    ...(turns?.ok ? { '--script': sha256(turns.value) } : {}),
  }
  return { file: resolve(io.cwd, journal), facts, secrets }
}

function conclude(
  result: Result<RunResult, RunError>,
  opened: OpenedAgent & { cost(): number | undefined },
  options: AgentRunOptions,
  io: Io,
  printer: TextPrinter | undefined,
): number {
  const { json, journal, quiet } = options
  const cost = opened.cost()
  const price = cost === undefined ? {} : { cost_usd: cost }
  if (json) io.stdout.write(jsonText({ ...(result.ok ? { ok: true, ...result.value } : result), ...price }))
  if (!result.ok && result.error.code === 'journal_refused') return wrongUsage([result.error.message], io)
  if (!result.ok) {
    tellFault(result.error, opened.agent, opened.texts, io)
    if (journal !== undefined && !quiet && resumable.has(result.error.code))
      tell(io, `run the same command again to continue from ${journal}`)
    return exitCodes.failedRun
  }
  const output: Value = result.value.output
  if (printer !== undefined) printer.end(output)
  else if (!json) io.stdout.write(jsonText(output))
  return exitCodes.ok
}

interface InputText {
  readonly name: string
  readonly text: string
  /** True for text written on the command line, false for the content of a file. */
  readonly isTyped: boolean
}

export async function readInputText(given: string, io: Io): Promise<Result<InputText, OpenFault>> {
  const fromFile = given.startsWith('@')
  const path = given === STDIN ? STDIN : resolve(io.cwd, given.slice(1))
  const text = fromFile || given === STDIN ? await readText(path, io) : ok(given)
  const name = fromFile ? given.slice(1) : '--input'
  if (!text.ok) return err(refused([`${name}: ${text.error.message}`], [], io))
  return ok({ name, text: text.value, isTyped: !fromFile && given !== STDIN })
}

/** Parses the input of a run: JSON, or plain text if the agent accepts it. Prints errors. */
export function readInput(
  { name, text, isTyped }: InputText,
  io: Io,
  schema: InterfaceSchema,
): Result<Value, OpenFault> {
  // Hosts also reject numbers outside the safe range.
  const value = readExactDoubles(text)
  if (value.ok && value.value !== null && ['string', 'object'].includes(typeof value.value)) return value
  // A number or a word such as `true` is text for an agent that accepts only text.
  const plain = /^\s*[[{"]/.test(text) ? undefined : inputFromText(schema, text.replace(/\r?\n$/, ''))
  if (plain?.ok) return plain
  if (value.ok) return value
  const faults = value.error.map(({ message, line, column }) => {
    const place = line === undefined ? '' : `:${line}:${column ?? 1}`
    return `${name}${place}: ${message}`
  })
  return err(refused(faults, isTyped && parseJson(text) === undefined ? [hint(text)] : [], io))
}

function refused(faults: readonly string[], hints: readonly string[], io: Io): OpenFault {
  const error = { code: 'input_validation', message: faults.join('; '), agent: [] } as const
  return { exitCode: wrongUsage([...faults, ...hints], io), error }
}

function hint(given: string): string {
  if (/^\s*[[{]/.test(given)) return `the shell may have removed the quotes: use --input '{"name": "value"}'`
  return `the agent accepts no plain text; use JSON: --input '{"name": ${JSON.stringify(cut(given, 40))}}', or @file`
}

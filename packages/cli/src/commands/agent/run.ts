/** `joust agent run FILE --input JSON`: runs an agent once. */
import { resolve } from 'node:path'
import { sha256 } from '@joust/io'
import type { JournalOptions, RunCode, RunError, RunResult } from '@joust/runtime'
import { cut, err, jsonText, ok, type Result, readJson, toDoubles, type Value } from '@joust/source'
import type { OpenedAgent } from '../../agent/open-agent.ts'
import { openRuntime } from '../../agent/open-runtime.ts'
import { tellFault } from '../../agent/run-faults.ts'
import { readText, STDIN } from '../../input/read.ts'
import type { AgentRunOptions } from '../../options/agent.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** Prints the output as JSON to stdout, everything else to stderr. */
export async function run(path: string, options: AgentRunOptions, io: Io): Promise<number> {
  if (path === STDIN && options.input === STDIN)
    return wrongUsage(['only one of the agent and its input can come from standard input'], io)
  const input = await readInput(options.input, io)
  if (!input.ok) return input.error
  const opened = await openRuntime(path, options, io)
  if (!opened.ok) return opened.error
  const { agent, runtime, close, hide, secrets } = opened.value
  const journal = await journalOf(options, secrets, io)
  return io.stoppable(async (signal) => {
    const result = await runtime.run(agent, input.value, { signal, ...(journal && { journal }) })
    await close()
    const code = conclude(hide(result), opened.value, options, io)
    return signal.aborted ? exitCodeOf(signal) : code
  })
}

/** Failures that running it again may get past. */
const goesOn: ReadonlySet<RunCode> = new Set(['cancelled', 'model_failed', 'journal_failed'])

/** Another model, or another script, makes it a different run. */
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

function conclude(result: Result<RunResult, RunError>, opened: OpenedAgent, options: AgentRunOptions, io: Io): number {
  const { json, journal, quiet } = options
  if (json) io.stdout.write(jsonText(result.ok ? { ok: true, ...result.value } : { ok: false, error: result.error }))
  if (!result.ok && result.error.code === 'journal_refused') return wrongUsage([result.error.message], io)
  if (!result.ok) {
    tellFault(result.error, opened.agent, opened.texts, io)
    if (journal !== undefined && !quiet && goesOn.has(result.error.code))
      tell(io, `the same command continues from ${journal}`)
    return exitCodes.failedRun
  }
  const output: Value = result.value.output
  if (!json) io.stdout.write(jsonText(output))
  return exitCodes.ok
}

/** The input of a run, or the exit code after saying what is wrong with it. */
export async function readInput(given: string, io: Io): Promise<Result<Value, number>> {
  const fromFile = given.startsWith('@')
  const path = given === STDIN ? STDIN : resolve(io.cwd, given.slice(1))
  const text = fromFile || given === STDIN ? await readText(path, io) : ok(given)
  const name = fromFile ? given.slice(1) : '--input'
  if (!text.ok) return err(wrongUsage([`${name}: ${text.error.message}`], io))
  const value = readJson(text.value)
  // As with everything that an agent is given: a host would not accept other numbers either.
  if (value.ok) return ok(toDoubles(value.value))
  const faults = value.error.map(({ message, line, column }) => {
    const place = line === undefined ? '' : `:${line}:${column ?? 1}`
    return `${name}${place}: ${message}`
  })
  return err(wrongUsage([...faults, ...(fromFile || given === STDIN ? [] : [hint(given)])], io))
}

function hint(given: string): string {
  if (/^\s*[[{]/.test(given)) return `the shell may have taken the quotes: write --input '{"name": "value"}'`
  return `a text is written with its quotes: --input '${JSON.stringify(cut(given, 40))}'; a file as @file`
}

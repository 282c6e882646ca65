/** Runs an agent with a journal: a new run, a resumed run, or the replay of a finished run. */
import type { Agent } from '@joust/agentformat'
import { err, messageOf, ok, type Result, type Value } from '@joust/source'
import type { OpenedJournal } from '../journal/journal.ts'
import type { RunError } from '../model/errors.ts'
import type { JournalOptions } from '../model/journal.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions, RunWarning, ServedResult } from '../model/options.ts'
import { emitFinished, runAgent } from './run.ts'
import type { Host } from './run-state.ts'

/** Runs an agent with a journal. All errors are in the result; the promise never rejects. */
export async function runJournaled(
  host: Host,
  agent: Agent,
  input: Value,
  options: RunOptions & { readonly journal: JournalOptions },
): Promise<Result<ServedResult, RunError>> {
  const value = toValue(input)
  // The run fails before it needs a journal.
  if (!value.ok) return runAgent(host, agent, input, options)
  const { openJournal } = await import('../journal/open.ts')
  const opened = openJournal(options.journal, agent, value.value, options, host.clock)
  if (!opened.ok) return err({ code: 'journal_refused', message: opened.error, agent: [] })
  try {
    return await runOnce(host, agent, value.value, options, opened.value)
  } catch (thrown) {
    return err({ code: 'journal_failed', message: messageOf(thrown), agent: [] })
  } finally {
    opened.value.close()
  }
}

async function runOnce(
  host: Host,
  agent: Agent,
  input: Value,
  options: RunOptions,
  opened: OpenedJournal,
): Promise<Result<ServedResult, RunError>> {
  if (opened.finished !== undefined) {
    // The shape was checked when the journal was read.
    const result = opened.finished as ServedResult
    emitFinished(host, agent, input, options, opened, result)
    return ok(result)
  }
  const result = await runAgent(host, agent, input, options, opened)
  // Failures are not final: the next process replays the recorded steps and repeats the others.
  if (!result.ok) return result
  const finished = { ...result.value, warnings: [...result.value.warnings, ...divergenceWarnings(opened.unused())] }
  opened.finish(finished)
  return ok(finished)
}

/** Warns about unused steps, for example after a host policy or guardrail has changed its decision. */
function divergenceWarnings(steps: number): RunWarning[] {
  if (steps === 0) return []
  const message = `the run diverged from its journal: ${steps} recorded steps were not used`
  return [{ code: 'journal_left', message, agent: [] }]
}

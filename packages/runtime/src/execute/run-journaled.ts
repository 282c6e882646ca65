/** A run with a journal: begun, continued or, when it had already finished, replayed. */
import type { Agent } from '@joust/agentformat'
import { err, messageOf, ok, type Result, type Value } from '@joust/source'
import type { OpenedJournal } from '../journal/journal.ts'
import type { RunError } from '../model/errors.ts'
import type { JournalOptions } from '../model/journal.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions, RunWarning, ServedResult } from '../model/options.ts'
import { runAgent, tellFinished } from './run.ts'
import type { Host } from './run-state.ts'

/** Runs an agent with the journal that its options name. Whatever goes wrong is in the result; it never rejects. */
export async function runJournaled(
  host: Host,
  agent: Agent,
  input: Value,
  options: RunOptions & { readonly journal: JournalOptions },
): Promise<Result<ServedResult, RunError>> {
  const value = toValue(input)
  // The run then fails before anything is done.
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
  kept: OpenedJournal,
): Promise<Result<ServedResult, RunError>> {
  if (kept.finished !== undefined) {
    // Its shape was checked when the journal was read.
    const result = kept.finished as ServedResult
    tellFinished(host, agent, input, options, kept, result)
    return ok(result)
  }
  const result = await runAgent(host, agent, input, options, kept)
  // A failure is not final: in the next process, what led to it is replayed, or tried again if it was not recorded.
  if (!result.ok) return result
  const told = { ...result.value, warnings: [...result.value.warnings, ...leftWarnings(kept.unused())] }
  kept.finish(told)
  return ok(told)
}

/** A policy or guardrail of the host that now decides differently leads away from what was recorded. */
function leftWarnings(steps: number): RunWarning[] {
  if (steps === 0) return []
  const message = `the run took a different path than before: ${steps} recorded steps are not part of it`
  return [{ code: 'journal_left', message, agent: [] }]
}

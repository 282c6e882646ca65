/** The agent file of a command line in a runtime of its own; events and progress go where the options say. */
import { createRuntime, type Runtime } from '@joust/runtime'
import { ok, type Result } from '@joust/source'
import type { BindingOptions } from '../options/agent.ts'
import { readProject } from '../project/read.ts'
import type { Io } from '../terminal/io.ts'
import { bindRuntime } from './bind-runtime.ts'
import { openEvents } from './events.ts'
import { type Hide, hideSecrets } from './hide-secrets.ts'
import { type OpenedAgent, openAgent } from './open-agent.ts'
import { createProgress } from './progress.ts'

/** An agent that can be started. */
interface OpenedRuntime extends OpenedAgent {
  readonly runtime: Runtime
  /** Takes keys and headers of this machine out of what is printed. */
  readonly hide: Hide
  /** Keys and headers of this machine. */
  readonly secrets: readonly string[]
  /** Closes the runtime, then the file of events. */
  close(): Promise<void>
}

/** Opens everything, or says what is wrong and gives the exit code. With `tellRuns` progress names the run of each line. */
export async function openRuntime(
  path: string,
  options: BindingOptions,
  io: Io,
  tellRuns = false,
): Promise<Result<OpenedRuntime, number>> {
  const opened = await openAgent(path, io, options)
  if (!opened.ok) return opened
  const project = await readProject(options.config, options.quiet, io)
  if (!project.ok) return project
  const bound = await bindRuntime(options, project.value, io)
  if (!bound.ok) return bound
  const events = openEvents(options.events, io)
  if (!events.ok) return events
  const { id } = opened.value.agent.document.metadata
  const progress = options.quiet ? undefined : createProgress(id, io, tellRuns)
  const hiding = await hideSecrets(project.value, io, (event) => {
    events.value.onEvent(event)
    progress?.(event)
  })
  const runtime = createRuntime({ ...bound.value, onEvent: hiding.onEvent })
  const close = async () => {
    await runtime.close()
    hiding.flush()
    events.value.close()
  }
  return ok({ ...opened.value, runtime, close, hide: hiding.hide, secrets: hiding.secrets })
}

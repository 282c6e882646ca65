import { type Agent, type AgentDocument, agentPaths, loadAgent, originOf } from '@joust/agentformat'
import { err, ok, patchText, type Result, type Value } from '@joust/source'
import type { Restraint } from './restraint.ts'

/** A file before and after the edit. */
export interface EditedFile {
  /** The document id, which is the file name. */
  readonly source: string
  readonly before: string
  readonly after: string
}

export interface EditedAgent {
  readonly agent: Agent
  readonly files: readonly EditedFile[]
}

/**
 * Applies restraints to agent files and loads the agent again. Comments and layout are preserved. Errors are messages.
 *
 * @example
 * const edited = await editAgent(loadedAgent.agent, [])
 */
export async function editAgent(root: Agent, restraints: readonly Restraint[]): Promise<Result<EditedAgent, string>> {
  const agents = [...agentPaths(root).keys()]
  const files: EditedFile[] = []
  for (const { source, document } of agents) {
    const own = restraints.filter((one) => one.source === source)
    if (own.length === 0) continue
    const origin = originOf(document)
    if (origin === undefined) return err(`${source} was not parsed from text`)
    // The parsed value, with numbers as written.
    const written = origin.value as unknown as AgentDocument
    const edited = own.reduce((now, one) => one.apply(now), written)
    const patch = patchText(origin.text, edited as unknown as Value)
    if (!patch.ok) return err(patch.error.map(({ message }) => message).join('; '))
    files.push({ source, before: origin.text, after: patch.value.text })
  }
  const loaded = await loadAgent(root.source, { read: readerOf(agents, files) })
  if (!loaded.ok) {
    const errors = loaded.error.filter(({ severity }) => severity === 'error')
    return err(errors.map(({ message }) => message).join('; '))
  }
  return ok({ agent: loaded.value.agent, files })
}

/** Creates a reader that resolves references as they were resolved when the agent was first loaded. */
function readerOf(agents: readonly Agent[], files: readonly EditedFile[]) {
  const textOf = (agent: Agent | undefined): string => {
    const edited = files.find(({ source }) => source === agent?.source)?.after
    const text = edited ?? (agent && originOf(agent.document)?.text)
    if (text === undefined) throw new Error('no such document')
    return text
  }
  return async ({ source, from }: { readonly source: string; readonly from?: string }) => {
    const parent = agents.find((agent) => agent.source === from)
    if (parent === undefined) return textOf(agents[0])
    const alias = parent.document.action_space?.local_agents?.find((entry) => entry.source === source)?.alias
    return textOf(alias === undefined ? undefined : parent.agents.get(alias))
  }
}

/** Opens a run's journal and checks that it belongs to the run. */
import type { Agent } from '@joust/agentformat'
import { type Clock, sha256 } from '@joust/io'
import { err, ok, type Result, type Value } from '@joust/source'
import type { JournalOptions } from '../model/journal.ts'
import type { RunOptions } from '../model/options.ts'
import { type Identity, openJournalFile } from './file.ts'
import { createJournal, type OpenedJournal } from './journal.ts'

export function openJournal(
  { file, facts = {}, secrets = [] }: JournalOptions,
  agent: Agent,
  input: Value,
  options: RunOptions,
  clock: Clock,
): Result<OpenedJournal, string> {
  const { memoryScope, conversation, clientTools, context, state } = options
  const request = hashOf({ memoryScope, conversation, clientTools, context, state })
  const identity: Identity = { agent: hashOf(graphOf(agent)), input: hashOf(input), request, ...facts }
  const opened = openJournalFile(file, identity, secrets)
  return opened.ok ? ok(createJournal(opened.value, clock)) : err(`cannot use the journal ${file}: ${opened.error}`)
}

/** Returns all documents and the aliases between them. The graph may be cyclic. */
function graphOf(root: Agent): unknown {
  const queue = [root]
  const nodes: unknown[] = []
  // The list grows during the iteration.
  for (const { document, agents } of queue) {
    const below = [...agents].map(([alias, agent]) => {
      if (!queue.includes(agent)) queue.push(agent)
      return [alias, queue.indexOf(agent)]
    })
    nodes.push({ document, below })
  }
  return nodes
}

function hashOf(value: unknown): string {
  return sha256(
    JSON.stringify(value, (_, here) => (typeof here === 'bigint' ? String(here) : here)),
    32,
  )
}

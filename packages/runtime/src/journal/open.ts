/** Opening the journal of a run: whose it is, and whether it can be used. */
import type { Agent } from '@joust/agentformat'
import { type Clock, sha256 } from '@joust/io'
import { err, ok, type Result, type Value } from '@joust/source'
import type { JournalOptions } from '../model/journal.ts'
import type { RunOptions } from '../model/options.ts'
import { type Identity, openJournalFile } from './file.ts'
import { createJournal, type OpenedJournal } from './journal.ts'

/** Opens a journal for a run of this agent with this input, or says why it cannot be used. */
export function openJournal(
  { file, facts = {}, secrets = [] }: JournalOptions,
  agent: Agent,
  input: Value,
  options: RunOptions,
  clock: Clock,
): Result<OpenedJournal, string> {
  const { memoryScope, conversation, clientTools, context, state } = options
  const identity: Identity = {
    agent: hashOf(graphOf(agent)),
    input: hashOf(input),
    request: hashOf({ memoryScope, conversation, clientTools, context, state }),
    ...facts,
  }
  const opened = openJournalFile(file, identity, secrets)
  return opened.ok ? ok(createJournal(opened.value, clock)) : err(`the journal ${file} cannot be used: ${opened.error}`)
}

/** Every document, and which alias leads to which. Agents may lead back to each other. */
function graphOf(root: Agent): unknown {
  const found = [root]
  const nodes: unknown[] = []
  // The list grows while it is walked.
  for (const { document, agents } of found) {
    const below = [...agents].map(([alias, agent]) => {
      if (!found.includes(agent)) found.push(agent)
      return [alias, found.indexOf(agent)]
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

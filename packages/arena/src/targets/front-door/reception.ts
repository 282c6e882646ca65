/** Passes what clients say on to conversations: one for each thread, one turn after the other. */
import type { Diagnostic, Value } from '@joust/source'
import { diagnostic } from '../../model/diagnostics.ts'
import { ArenaError } from '../../model/errors.ts'
import { type Pasteable, promptOf, type Said } from './request.ts'

/** What the protocols of a front door hand over. */
interface Visit {
  /** Distinguishes threads. */
  readonly thread: string
  readonly said: Said
  /** The whole request. */
  readonly input: Value
  /** Whether nobody waits for an answer, so that an empty one will do. */
  readonly mayBeSilent?: boolean
}

interface Reception {
  /** Rejects with an `ArenaError` when there is no answer. */
  take(visit: Visit): Promise<string>
  /** How prompts were changed on the way, and whether the agent refused. */
  notes(): readonly Diagnostic[]
  /** The last answer. */
  answer(): string | undefined
  close(): Promise<void>
}

interface Thread {
  readonly conversation: Promise<Conversation>
  turns: number
  /** Settles when the last turn is over. */
  last: Promise<unknown>
}

/** A reception that ends with `signal`. */
export function createReception(open: OpenConversation, paste: readonly Pasteable[], signal: AbortSignal): Reception {
  const threads = new Map<string, Thread>()
  const notes = new Set<string>()
  let hasRefused = false
  let answer: string | undefined

  const threadOf = (id: string): Thread => {
    const known = threads.get(id)
    if (known !== undefined) return known
    const begun: Thread = { conversation: open(id), turns: 0, last: Promise.resolve() }
    begun.conversation.catch(() => {})
    threads.set(id, begun)
    return begun
  }
  const say = async (thread: Thread, { said, input, mayBeSilent = false }: Visit): Promise<string> => {
    const conversation = await thread.conversation
    if (signal.aborted) throw new ArenaError('stopped', 'the run is over')
    thread.turns += 1
    const { prompt, pasted } = promptOf(said, paste, thread.turns === 1)
    if (prompt.trim() === '') throw new ArenaError('target_failed', 'the request holds no words that could be said')
    for (const name of pasted) notes.add(`the agent takes no ${name}: it was pasted into the prompt`)
    const given = await conversation.say({ prompt, input, number: thread.turns, signal })
    if (given.refused) hasRefused = true
    else if (!mayBeSilent && given.text.trim() === '')
      throw new ArenaError('target_failed', 'the agent gave an empty answer')
    for (const note of given.notes ?? []) notes.add(note)
    answer = given.text
    return given.text
  }
  return {
    take(visit) {
      const thread = threadOf(visit.thread)
      const turn = thread.last.then(() => say(thread, visit))
      thread.last = turn.catch(() => {})
      return turn
    },
    notes: () => [
      ...[...notes].map((note) => diagnostic('prompt-changed', note)),
      ...(hasRefused ? [diagnostic('agent-refused', 'the agent refused to continue')] : []),
    ],
    answer: () => answer,
    async close() {
      const open = [...threads.values()].map(({ conversation }) => conversation.then((one) => one.close()))
      await Promise.allSettled(open)
    },
  }
}

/** What the protocols of a front door get. */
export interface DoorContext {
  readonly reception: Reception
  readonly newId: () => string
  readonly maxBytes: number
  /** Keeps a failure that the client does not notice. */
  readonly fail: (fault: string) => void
}

/** What a user says to an agent. */
export interface Turn {
  readonly prompt: string
  /** The whole request of the client actor as JSON, for agents that take more than text. */
  readonly input: Value
  /** Counts from 1 in each conversation. */
  readonly number: number
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What an agent answers. */
export interface Answer {
  readonly text: string
  /** How the prompt had to be changed on the way, one sentence each. */
  readonly notes?: readonly string[]
  /** Whether it refused to continue; then the text may be empty. */
  readonly refused?: true
}

/** One conversation with an agent. Turns come one after the other. */
export interface Conversation {
  /** Rejects with an `ArenaError` when the agent failed; an answer without text is a failure too. */
  say(turn: Turn): Promise<Answer>
  /** Ends it. Never rejects. */
  close(): Promise<void>
}

/** Begins a conversation; `id` distinguishes it from the others of a run. Rejects with an `ArenaError`. */
export type OpenConversation = (id: string) => Promise<Conversation>

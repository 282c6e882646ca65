/** An agent that takes text and answers with text, whatever is behind it: a command, a process, an address, a function. */
import type { Value } from '@joust/source'

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
  /** How the prompt had to be changed on its way, a sentence each. */
  readonly notes?: readonly string[]
}

/** One conversation with an agent. Turns come one after the other. */
export interface Conversation {
  /** Rejects with an `ArenaError` when the agent failed; an answer without text is a failure too. */
  say(turn: Turn): Promise<Answer>
  /** Ends it. Never rejects. */
  close(): Promise<void>
}

/** Begins a conversation; `id` tells it from the others of a run. Rejects with an `ArenaError`. */
export type OpenConversation = (id: string) => Promise<Conversation>

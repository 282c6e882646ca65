/** Routes client messages to conversations: one per thread, one turn at a time. */

import { ArenaError } from '@joust/arena'
import { diagnostic } from '@joust/results'
import type { Diagnostic, Value } from '@joust/source'
import { type Pasteable, promptOf, type UserMessage } from './request.ts'

interface ChatRequest {
  readonly thread: string
  readonly message: UserMessage
  /** The complete request, for agents that accept more than text. */
  readonly input: Value
  /** Accepts an empty answer. Set if no client waits for the answer. */
  readonly mayBeEmpty?: boolean
}

interface Conversations {
  /** Returns the answer to a request; rejects with an `ArenaError` if there is no answer. */
  send(request: ChatRequest): Promise<string>
  /** Diagnostics about changed prompts and about refusals by the agent. */
  notes(): readonly Diagnostic[]
  answer(): string | undefined
  /** Asks a question in the last conversation, outside the run; undefined if there is no conversation. */
  ask(question: string, input: Value): Promise<string> | undefined
  /** Repeats the last conversation in a new one, with an addition to each prompt; undefined if there is none. */
  repeat(addition: string): Promise<string> | undefined
  close(): Promise<void>
}

interface Thread {
  readonly conversation: Promise<Conversation>
  readonly requests: ChatRequest[]
  turns: number
  /** Settles when the last turn has ended. */
  last: Promise<unknown>
}

/** Creates a run's conversations. No turn starts once `signal` is aborted. */
export function createConversations(
  open: OpenConversation,
  paste: readonly Pasteable[],
  signal: AbortSignal,
): Conversations {
  const threads = new Map<string, Thread>()
  const notes = new Set<string>()
  let hasRefused = false
  let lastAnswer: string | undefined
  let last: Thread | undefined

  const threadOf = (id: string): Thread => {
    const existing = threads.get(id)
    if (existing !== undefined) return existing
    const thread: Thread = { conversation: open(id), requests: [], turns: 0, last: Promise.resolve() }
    thread.conversation.catch(() => {})
    threads.set(id, thread)
    return thread
  }
  const say = async (thread: Thread, { message, input, mayBeEmpty = false }: ChatRequest): Promise<string> => {
    const conversation = await thread.conversation
    if (signal.aborted) throw new ArenaError('stopped', 'the run has ended')
    thread.turns += 1
    const { prompt, pasted } = promptOf(message, paste, thread.turns === 1)
    if (prompt.trim() === '') throw new ArenaError('target_failed', 'the request contains no text')
    for (const name of pasted) notes.add(`the agent does not support ${name}, so it was pasted into the prompt`)
    const answer = await conversation.say({ prompt, input, number: thread.turns, signal })
    if (answer.refused) hasRefused = true
    else if (!mayBeEmpty && answer.text.trim() === '')
      throw new ArenaError('target_failed', 'the agent returned an empty answer')
    for (const note of answer.notes ?? []) notes.add(note)
    lastAnswer = answer.text
    return answer.text
  }
  return {
    send(request) {
      const thread = threadOf(request.thread)
      thread.requests.push(request)
      last = thread
      const turn = thread.last.then(() => say(thread, request))
      thread.last = turn.catch(() => {})
      return turn
    },
    notes: () => [
      ...[...notes].map((note) => diagnostic('prompt-changed', note)),
      ...(hasRefused ? [diagnostic('agent-refused', 'the agent refused to continue')] : []),
    ],
    answer: () => lastAnswer,
    ask(question, input) {
      const thread = last
      return thread?.last.then(() => next(thread, { prompt: question, input, signal }))
    },
    repeat(addition) {
      const thread = last
      return thread?.last.then(() => repeated(threadOf(crypto.randomUUID()), thread, { paste, addition, signal }))
    },
    async close() {
      const closing = [...threads.values()].map(({ conversation }) => conversation.then((one) => one.close()))
      await Promise.allSettled(closing)
    },
  }
}

interface Repetition extends Pick<Turn, 'signal'> {
  readonly paste: readonly Pasteable[]
  readonly addition: string
}

/** Repeats a conversation's requests in a new one, with an addition to each prompt. Returns the last answer. */
async function repeated(
  thread: Thread,
  { requests }: Thread,
  { paste, addition, signal }: Repetition,
): Promise<string> {
  let answer = ''
  for (const [index, { message, input }] of requests.entries()) {
    const { prompt } = promptOf(message, paste, index === 0)
    answer = await next(thread, { prompt: `${prompt}\n\n${addition}`, input, signal })
  }
  return answer
}

async function next(thread: Thread, turn: Omit<Turn, 'number'>): Promise<string> {
  const conversation = await thread.conversation
  thread.turns += 1
  return (await conversation.say({ ...turn, number: thread.turns })).text
}

export interface ChatContext {
  readonly conversations: Conversations
  readonly newId: () => string
  readonly maxBytes: number
  /** Records a failure that the client cannot detect. */
  readonly fail: (fault: string) => void
}

export interface Turn {
  readonly prompt: string
  /** The client actor's complete request as JSON, for agents that accept more than text. */
  readonly input: Value
  /** Number of the turn in the conversation, from 1. */
  readonly number: number
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
}

export interface Answer {
  readonly text: string
  /** Changes made to the prompt, one sentence each. */
  readonly notes?: readonly string[]
  /** True if the agent refused to continue. `text` may then be empty. */
  readonly refused?: true
}

/** A conversation with an agent. Turns never overlap. */
export interface Conversation {
  /** Rejects with an `ArenaError` if the agent fails. Empty text is also a failure. */
  say(turn: Turn): Promise<Answer>
  /** Ends the conversation. Never rejects. */
  close(): Promise<void>
}

/** A function that starts a conversation; `id` is unique in a run. Rejects with an `ArenaError` on failure. */
export type OpenConversation = (id: string) => Promise<Conversation>

/** Documents for conversations: a client actor with one phase per turn, whose messages are templates or fixed texts. */
import { baitOf, type LoadedAttack, load, serialize } from '@joust/oatf'
import { err, isRecord, ok, own, ownList, ownText, parsePath, type Result, type Value, valueAt } from '@joust/source'

export interface Turn {
  /** The attacker's message. */
  readonly said: string
  /** The agent's answer. */
  readonly answer: string
}

/** An attack whose client actor sends one message per turn. */
export interface Conversation {
  readonly attack: LoadedAttack
  /** The actor that sends the messages. */
  readonly actor: string
  /** The complete message with the original bait, because an agent may react differently to a quoted message. */
  readonly order: string
}

/** Returns the template name of a message. Turns start at 0. */
export const turnName = (turn: number) => `turn_${turn + 1}`

/** Returns the template name of an answer. */
export const answerName = (turn: number) => `answer_${turn + 1}`

/** Creates a conversation document. Without `turns`, templates replace the messages. */
export function conversationOf(
  given: LoadedAttack,
  count: number,
  turns?: readonly Turn[],
): Result<Conversation, string> {
  // Documents contain only JSON values.
  const document = JSON.parse(JSON.stringify(given.document))
  const { attack } = document
  const actors: Value[] = attack.execution.actors
  const index = actors.findIndex((actor) => ['ag_ui_client', 'a2a_client'].includes(ownText(actor, 'mode') ?? ''))
  const actor = actors[index]
  const texts = baitOf(given).texts
  const isSpoken = texts.some(({ path }) => /run_agent_input|\.actions\[/.test(path))
  if (!isRecord(actor) || !isSpoken)
    return err('--turns needs an attack whose bait is in a message from an ag_ui_client or a2a_client')
  const mode = ownText(actor, 'mode') ?? ''
  const state = own(ownList(actor, 'phases').at(-1) ?? null, 'state') ?? {}
  const say = (turn: number) => textOr(turns?.[turn]?.said, turnName(turn))
  const answerOf = (turn: number) => textOr(turns?.[turn]?.answer, answerName(turn))
  const phases = Array.from({ length: count }, (_, turn) => {
    const phaseState = mode === 'ag_ui_client' ? agUiState(state, turn, say, answerOf) : a2aState(state, turn, say)
    const event = mode === 'ag_ui_client' ? 'run_finished' : 'message/send'
    return { name: turnName(turn), state: phaseState, ...(turn < count - 1 && { trigger: { event } }) }
  })
  actors[index] = { ...actor, phases }
  const at = `attack.execution.actors[${index}].phases`
  attack['x-joust-bait'] = phases.map((_, turn) => `${at}[${turn}].state.${textPath(mode, turn)}`)
  // The conversation does not include the document's task.
  for (const key of ['x-joust-placebo', 'x-joust-canaries', 'x-joust-task']) delete attack[key]
  const loaded = load(serialize(document))
  if (!loaded.ok) return err(`the conversation is not a valid attack: ${loaded.error[0]?.message}`)
  const order = texts.map((bait) => messageWith(given, bait)).join('\n')
  return ok({ attack: loaded.value, actor: ownText(actor, 'name') ?? '', order })
}

/** Returns the whole message that contains a bait, such as a request above a quoted block. */
function messageWith({ document }: LoadedAttack, { path, text }: ReturnType<typeof baitOf>['texts'][number]): string {
  const place = parsePath(path)
  // Documents contain only JSON values.
  const whole = place === undefined ? undefined : valueAt(document as unknown as Value, place)
  return typeof whole === 'string' && whole.includes(text) ? whole : text
}

/** Returns a template, or the text with its braces escaped. */
function textOr(text: string | undefined, name: string): string {
  return text === undefined ? `{{${name}}}` : text.replaceAll('{{', '{ {')
}

function textPath(mode: string, turn: number): string {
  return mode === 'ag_ui_client'
    ? `run_agent_input.messages[${2 * turn}].content`
    : 'actions[0].params.message.parts[0].text'
}

type Text = (turn: number) => string

/** Creates the state of an AG-UI client, which sends the whole conversation with every run. */
function agUiState(state: Value, turn: number, say: Text, heard: Text): Value {
  const input = own(state, 'run_agent_input')
  const before = Array.from({ length: turn }, (_, past): Value[] => [
    { id: `said-${past + 1}`, role: 'user', content: say(past) },
    { id: `answer-${past + 1}`, role: 'assistant', content: heard(past) },
  ])
  const messages = [...before.flat(), { id: `said-${turn + 1}`, role: 'user', content: say(turn) }]
  const runId = `${ownText(input, 'runId') ?? 'run'}-${turn + 1}`
  return { ...record(state), run_agent_input: { threadId: 'thread', ...record(input), runId, messages } }
}

/** Creates the state of an A2A client, which sends only the new message because the agent stores the conversation. */
function a2aState(state: Value, turn: number, say: Text): Value {
  const params = own(ownList(state, 'actions').at(-1) ?? null, 'params')
  const { parts: _, ...message } = record(own(params, 'message'))
  const next = {
    kind: 'message',
    role: 'user',
    contextId: 'conversation',
    ...message,
    messageId: `said-${turn + 1}`,
    parts: [{ kind: 'text', text: say(turn) }],
  }
  return { ...record(state), actions: [{ method: 'message/send', params: { ...record(params), message: next } }] }
}

function record(value: Value | undefined): { readonly [key: string]: Value } {
  return isRecord(value) ? value : {}
}

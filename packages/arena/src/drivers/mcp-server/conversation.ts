/** What happens with a text of the peer, whatever transport brought it: told apart, told to the stage, answered. */
import type { DriverContext } from '../driver.ts'
import { type JsonRpcBatch, type JsonRpcMalformed, type JsonRpcMessage, writeError } from '../json-rpc.ts'
import { createTasks } from '../mcp/tasks.ts'
import { type AnswerParts, answerRequest } from './answer.ts'
import type { Deliveries } from './deliveries.ts'
import { createRounds } from './modern.ts'
import { type Exchange, inSession } from './outgoing.ts'
import type { Questions } from './questions.ts'

/** Takes in a text of the peer; resolves when it has been dealt with. Never rejects. */
export type Conversation = (incoming: JsonRpcMessage | JsonRpcBatch, exchange: Exchange) => Promise<void>

/** The conversation of an actor with all its peers. */
export function createConversation(context: DriverContext, questions: Questions, deliveries: Deliveries): Conversation {
  const tasks = createTasks(context.newId, () => context.clock.now())
  const parts: AnswerParts = { context, questions, deliveries, rounds: createRounds(context), tasks }
  return async (incoming, exchange) => {
    const items = incoming.kind === 'batch' ? incoming.items : [incoming]
    await Promise.all(items.map((item) => take(parts, item, exchange)))
  }
}

async function take(parts: AnswerParts, message: JsonRpcMessage, exchange: Exchange): Promise<void> {
  if (message.kind === 'request') return answerRequest(parts, message, exchange)
  if (message.kind === 'malformed') return refuse(parts, message, exchange)
  if (message.kind === 'response') {
    await parts.questions.settle(message, exchange.session)
    return exchange.accept()
  }
  const { method: surface, params: content } = message
  const session = inSession(exchange.session)
  await parts.context.stage.receive({ direction: 'request', surface, content, ...session }, async () =>
    exchange.accept(),
  )
}

function refuse({ context: { stage } }: AnswerParts, message: JsonRpcMalformed, exchange: Exchange): void {
  const { text, reason, code, id } = message
  const scene = stage.scene()
  const session = inSession(exchange.session)
  stage.record(scene, { direction: 'request', flow: 'in', surface: '', content: text, malformed: reason, ...session })
  stage.report('message-malformed', reason)
  const content = { code, message: reason }
  const sent = () => stage.record(scene, { direction: 'response', flow: 'out', surface: '', content, ...session })
  exchange.refuse({ text: writeError(id, content), what: 'the refusal of a message', sent })
}

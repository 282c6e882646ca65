/** How a client actor answers what the server asks of it (§7.1.5). */
import { isRecord, own, type Value } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { jsonRpcCodes } from '../json-rpc.ts'
import type { Answered, TaskRequest } from '../mcp/tasks.ts'

/** The code and text of MCP for a person who says no. */
const REJECTED: Value = { code: -1, message: 'User rejected sampling request' }
const NOT_FOUND: Value = { code: jsonRpcCodes.methodNotFound, message: 'Method not found' }

/** The answer of a phase, filled now. */
export function answerOf(stage: Stage, scene: Scene, ask: TaskRequest): Answered {
  const state = isRecord(scene.state) ? scene.state : {}
  const { method, params, capabilities } = ask
  switch (method) {
    case 'ping':
      return { result: {} }
    case 'roots/list':
      return { result: filled(stage, { roots: own(state, 'roots') ?? [] }, params) }
    case 'sampling/createMessage': {
      const entry = stage.choose(own(state, 'sampling_responses'), params, 'sampling_responses')
      if (entry !== undefined) return { result: filled(stage, entry.content ?? {}, params) }
      return { error: isRecord(capabilities) && Object.hasOwn(capabilities, 'sampling') ? REJECTED : NOT_FOUND }
    }
    case 'elicitation/create':
      return { result: elicited(stage, own(state, 'elicitation_responses'), params) }
    default:
      return { error: NOT_FOUND }
  }
}

/** An `ElicitResult`: what the document calls content is the content of the form. */
function elicited(stage: Stage, entries: Value | undefined, params: Value): Value {
  const entry = stage.choose(entries, params, 'elicitation_responses') ?? {}
  // An entry is a mapping of plain data.
  const action = (entry.action ?? 'accept') as Value
  if (entry.content !== undefined) return filled(stage, { action, content: entry.content }, params)
  const answer = { action: stage.fill(action, params, { action }) }
  const isForm = !(isRecord(params) && own(params, 'mode') === 'url')
  return answer.action === 'accept' && isForm ? { ...answer, content: {} } : answer
}

/** An answer whose templates see the request and the answer itself (§5.6). */
function filled(stage: Stage, written: Value, request: Value): Value {
  return stage.fill(written, request, written)
}

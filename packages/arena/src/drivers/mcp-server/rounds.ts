/**
 * Input requests of MCP 2026-07-28: they are part of a result, and the client repeats its call with the replies. Either
 * the driver creates them from messages before a response, with a request state that it checks, or the document
 * contains the whole result.
 */
import { isRecord, own, ownText, setOwn, type Value, writeJson } from '@joust/source'
import { acceptsRequest, capabilityOf, declaredCapabilities } from '../../model/client-abilities.ts'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { DriverContext } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { modernCodes, nameFields } from '../mcp/protocol.ts'
import type { Call, PriorMessage } from './call.ts'

type Session = string | undefined

export interface Rounds {
  /** Sends input requests before a response. Returns a result with the requests, or undefined once all are answered. */
  ask(call: Call, questions: readonly PriorMessage[], session: Session): Promise<Answered | undefined>
  hear(call: Call, session: Session): Promise<void>
  keep(call: Call, result: Value, session: Session): void
}

type Requests = ReadonlyMap<string, string>

interface Issued {
  readonly requests: Requests
  /** True if the client has already omitted a reply; the client is not asked again. */
  readonly again: boolean
}

export function createRounds(context: DriverContext): Rounds {
  const { stage } = context
  const issued = new Map<Value, Issued>()
  const written = new Map<string, Requests>()
  return {
    async ask(call, questions, session) {
      const token = own(call.params, 'requestState')
      const round = token === undefined ? undefined : issued.get(token)
      if (token === undefined || round === undefined) {
        const isFirst = token === undefined && own(call.params, 'inputResponses') === undefined
        if (!isFirst) stage.report('reply-unexpected', `${call.method}: unrequested input responses`)
        if (token === undefined) return request(context, issued, call, questions, false, session)
        return failure(jsonRpcCodes.invalidParams, 'Invalid params: unknown requestState')
      }
      issued.delete(token)
      const missing = await receive(call, round.requests, session)
      for (const surface of missing) stage.report('reply-missing', `${surface}: no reply in the repeated call`)
      const asksAgain = missing.length > 0 && !round.again
      return asksAgain ? request(context, issued, call, questions, true, session) : undefined
    },
    async hear(call, session) {
      const requests = written.get(keyOf(call, own(call.params, 'requestState')))
      if (requests !== undefined && isRecord(own(call.params, 'inputResponses'))) await receive(call, requests, session)
    },
    keep(call, result, session) {
      const inputRequests = own(result, 'inputRequests')
      const requestState = own(result, 'requestState')
      if (ownText(result, 'resultType') !== 'input_required' || !isRecord(inputRequests)) return
      if (issued.has(requestState ?? null)) return
      const methods = new Map<string, string>()
      for (const [key, input] of Object.entries(inputRequests)) {
        const method = ownText(input, 'method')
        if (method === undefined) continue
        methods.set(key, method)
        record(call, method, own(input, 'params') ?? {}, session)
      }
      written.set(keyOf(call, requestState), methods)
      forgetOldest(written, arenaLimits.mcpQuestions)
    },
  }
}

/** Returns the methods of requests without a reply. */
async function receive({ params, stage }: Call, requests: Requests, session: Session): Promise<readonly string[]> {
  const replies = own(params, 'inputResponses')
  const missing: string[] = []
  for (const [key, surface] of requests) {
    const content = own(replies, key)
    if (content === undefined) missing.push(surface)
    else await stage.receive({ direction: 'response', surface, content, session })
  }
  return missing
}

function record({ scene, stage }: Call, surface: string, content: Value, session: Session): void {
  stage.record(scene, { direction: 'request', flow: 'out', surface, content, session })
}

function request(
  { newId }: DriverContext,
  issued: Map<Value, Issued>,
  call: Call,
  questions: readonly PriorMessage[],
  again: boolean,
  session: Session,
): Answered {
  const { accepted, refusal } = acceptedBy(call, questions)
  if (refusal !== undefined) return refusal
  const requestState = newId()
  const inputRequests: Record<string, Value> = {}
  const requests = new Map<string, string>()
  for (const { key, method, params } of accepted) {
    record(call, method, params, session)
    setOwn(inputRequests, key, { method, params })
    requests.set(key, method)
  }
  issued.set(requestState, { requests, again })
  forgetOldest(issued, arenaLimits.mcpQuestions)
  return { result: { resultType: 'input_required', requestState, inputRequests } }
}

/** Identical for a call and its repetition. */
function keyOf({ method, params }: Call, requestState: Value | undefined): string {
  return writeJson([method, own(params, nameFields.get(method) ?? '') ?? null, requestState ?? null])
}

interface Accepted {
  readonly key: string
  readonly method: string
  readonly params: Value
}

/** Returns the required error if the client accepts none of the input requests. */
function acceptedBy(call: Call, questions: readonly PriorMessage[]) {
  const declared = declaredCapabilities(call.method, call.params)
  const accepted: Accepted[] = []
  const requiredCapabilities: Record<string, Value> = {}
  for (const [index, { method, params: make }] of questions.entries()) {
    const params = make() ?? {}
    if (acceptsRequest(declared, method, params)) accepted.push({ key: `input-${index + 1}`, method, params })
    else {
      call.stage.report('not-delivered', `${method}: the client does not declare this capability`)
      requiredCapabilities[capabilityOf(method) ?? method] = {}
    }
  }
  if (accepted.length > 0) return { accepted }
  const message = 'Missing required client capability'
  return { accepted, refusal: failure(modernCodes.missingCapability, message, { requiredCapabilities }) }
}

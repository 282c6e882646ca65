/** The needs of A2A actors: content beyond text for a client, push notifications and signatures for a server. */
import type { Actor } from '@joust/oatf'
import { isRecord, own, ownList, type Value } from '@joust/source'
import { isNothing, isTemplate, type Need, needsWhere, otherKeys, textOfParts, writtenSends } from './need.ts'

const inParams = new Set(['message', 'configuration'])
const inMessage = new Set(['kind', 'messageId', 'role', 'parts', 'contextId', 'taskId', 'metadata'])
const PUSH = 'pushNotificationConfig'
const inConfiguration = new Set(['acceptedOutputModes', 'blocking', 'historyLength', PUSH])

/** A client that only fetches the card needs an actual A2A agent. */
export function a2aNeeds(actor: Actor): readonly Need[] {
  const sends = writtenSends(actor)
  const contexts = new Set<Value>()
  const needs = sends.flatMap(({ method, params }): readonly Need[] => {
    if (method === 'message/send' || method === 'message/stream') return requestNeeds(params, contexts)
    if (method.startsWith(`tasks/${PUSH}/`)) return [{ name: 'push' }]
    return method === 'agent_card/get' ? [] : [{ name: 'methods', what: method }]
  })
  const isMute = sends.length > 0 && sends.every(({ method }) => method === 'agent_card/get')
  return isMute ? [...needs, { name: 'methods', what: 'agent_card/get' }] : needs
}

export function a2aServerNeeds({ phases }: Actor): readonly Need[] {
  return phases.flatMap(({ state, on_enter = [] }) =>
    needsWhere({
      push: on_enter.some((entry) => Object.hasOwn(entry, 'send_push_notification')),
      signatures: !isNothing(own(state, 'x-joust-signature')),
    }),
  )
}

function requestNeeds(params: Value, contexts: Set<Value>): readonly Need[] {
  const message = own(params, 'message')
  if (!isRecord(params) || !isRecord(message)) return [{ name: 'silence' }]
  const configuration = own(params, 'configuration')
  const taskId = own(message, 'taskId')
  const others = [
    ...otherKeys(params, inParams),
    ...otherKeys(message, inMessage),
    ...(isRecord(configuration) ? otherKeys(configuration, inConfiguration) : []),
    ...(isNothing(taskId) || isTemplate(taskId) ? [] : ['taskId']),
  ]
  const text = textOfParts(ownList(message, 'parts'))
  return [
    ...needsWhere({
      turns: continues(own(message, 'contextId'), taskId, contexts),
      history: own(message, 'role') !== 'user',
      parts: text === undefined,
      silence: text === '',
      metadata: !isNothing(own(message, 'metadata')),
      push: !isNothing(own(configuration ?? null, PUSH)),
    }),
    ...others.map((what): Need => ({ name: 'fields', what })),
  ]
}

function continues(context: Value | undefined, task: Value | undefined, contexts: Set<Value>): boolean {
  if (isTemplate(task) || isTemplate(context)) return true
  if (context === undefined) return false
  const isRepeated = contexts.has(context)
  contexts.add(context)
  return isRepeated
}

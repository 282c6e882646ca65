/** Requests to remote agents in A2A 1.0. */
import { randomUUID } from 'node:crypto'
import { type Part, Role, type SendMessageRequest } from '@a2a-js/sdk'
import { err, ok, type Result } from '@joust/source'
import type { RemoteRequest } from '../model/connection.ts'
import { readDoubles } from '../model/json-value.ts'

/** Creates the request for a message, or returns an error if the document does not allow the media type. */
export function messageRequest(request: RemoteRequest): Result<SendMessageRequest, string> {
  const part = partFor(request)
  if (!part.ok) return part
  const { skill, thread, outputModes = [] } = request
  return ok({
    tenant: '',
    metadata: undefined,
    message: {
      messageId: randomUUID(),
      role: Role.ROLE_USER,
      parts: [part.value],
      contextId: thread?.contextId ?? '',
      taskId: thread?.taskId ?? '',
      extensions: [],
      referenceTaskIds: [],
      // A2A has no field for the skill.
      metadata: skill === undefined ? undefined : { skill },
    },
    configuration: {
      acceptedOutputModes: [...outputModes],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
    },
  })
}

function partFor({ text, inputModes }: RemoteRequest): Result<Part, string> {
  const modes = inputModes ?? ['text/plain']
  const mediaType = modes.find((mode) => mode === 'text' || mode.startsWith('text/'))
  const rest = { metadata: undefined, filename: '' }
  const textType = mediaType === 'text' ? 'text/plain' : mediaType
  if (textType !== undefined) return ok({ ...rest, content: { $case: 'text', value: text }, mediaType: textType })
  if (!modes.includes('application/json'))
    return err(`cannot send text or JSON: input_modes allows only ${modes.join(', ') || 'nothing'}`)
  const data = readDoubles(text)
  if (!data.ok) return err('the message must be JSON: input_modes allows only application/json')
  return ok({ ...rest, content: { $case: 'data', value: data.value }, mediaType: 'application/json' })
}

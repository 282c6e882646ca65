/** Models with recorded calls. */
import type { LanguageModel } from '@joust/runtime'
import { isRecord, messageOf, type Value } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { fromPlain } from './identity.ts'
import { endOf, type RecordedFailure, type RecordedModel, type Recording } from './recording.ts'
import type { Replay } from './replay.ts'
import type { Join, Take, Tape } from './tape.ts'

type ModelCall = Parameters<LanguageModel['doGenerate']>[0]
type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/** Wraps a model to record its calls. */
export function recordModel(model: LanguageModel, name: string, tape: Tape): LanguageModel {
  const { provider, modelId, supportedUrls } = model
  tape.model({ name, provider, model_id: modelId })
  return {
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(call) {
      const take = tape.begin('generate', requestOf(name, call))
      try {
        const answer = await model.doGenerate(call)
        const { content, finishReason, usage, providerMetadata, warnings } = answer
        // Raw requests and responses are not recorded, since they may contain keys.
        take.head({ content, finishReason, usage, providerMetadata, warnings })
        take.end('done')
        return answer
      } catch (thrown) {
        take.end(endOf(thrown, call.abortSignal))
        throw thrown
      }
    },
    async doStream(call) {
      const take = tape.begin('stream', requestOf(name, call), joinDeltas)
      try {
        const answer = await model.doStream(call)
        take.head({})
        return { stream: tapped(answer.stream, take, call.abortSignal) }
      } catch (thrown) {
        take.end(endOf(thrown, call.abortSignal))
        throw thrown
      }
    },
  }
}

/** The identity of a model call, without headers, which may contain keys. */
function requestOf(model: string, call: ModelCall): unknown {
  const { prompt, tools = [], abortSignal: _, headers: __, includeRawChunks: ___, ...settings } = call
  return { model, settings, tools, prompt }
}

function tapped(
  stream: ReadableStream<StreamPart>,
  take: Take,
  signal: AbortSignal | undefined,
): ReadableStream<StreamPart> {
  const reader = stream.getReader()
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const next = await reader.read()
        if (!next.done) {
          take.part(storable(next.value))
          return controller.enqueue(next.value)
        }
        take.end('done')
        controller.close()
      } catch (thrown) {
        take.end(endOf(thrown, signal))
        controller.error(thrown)
      }
    },
    async cancel(reason) {
      take.end(signal?.aborted === true ? endOf(reason, signal) : 'open')
      await reader.cancel(reason)
    },
  })
}

/** An error in a stream may be of any type; only its message is recorded. */
function storable(part: StreamPart): unknown {
  if (part.type !== 'error') return part
  return { type: 'error', error: { message: messageOf(part.error) } }
}

/** Redacts secrets that cross the boundaries of deltas; the first delta of a changed text becomes all of it. */
const joinDeltas: Join = (parts, redact) => {
  const texts = new Map<string, string>()
  for (const part of parts) {
    const delta = deltaOf(part)
    if (delta !== undefined) texts.set(delta.of, `${texts.get(delta.of) ?? ''}${delta.text}`)
  }
  const hidden = new Map(
    [...texts].flatMap(([of, text]) => (redact(text) === text ? [] : [[of, redact(text)] as const])),
  )
  return parts.map((part) => {
    const of = deltaOf(part)?.of ?? ''
    const text = hidden.get(of)
    const redacted = redact(part)
    if (text === undefined || !isRecord(redacted)) return redacted
    hidden.set(of, '')
    return { ...redacted, delta: text }
  })
}

function deltaOf(part: Value): { readonly of: string; readonly text: string } | undefined {
  if (!isRecord(part) || typeof part.delta !== 'string') return undefined
  return { of: `${String(part.type)} ${String(part.id)}`, text: part.delta }
}

type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>

/** A model that replays its recording. */
export function replayModel({ name, provider, model_id }: Omit<RecordedModel, 'kind'>, replay: Replay): LanguageModel {
  return {
    specificationVersion: 'v3',
    provider,
    modelId: model_id,
    supportedUrls: {},
    async doGenerate(call) {
      const { head, end } = take(replay, 'generate', name, call)
      if (end === 'open') return stopped(call)
      if (end !== 'done') return fail(end, call)
      if (head === undefined) throw new ArenaError('cassette_failed', 'the recording of the call has no answer')
      // An answer was recorded.
      return fromPlain(head) as Answer
    },
    async doStream(call) {
      const { head, parts = [], end } = take(replay, 'stream', name, call)
      if (head === undefined) return end === 'open' || end === 'done' ? stopped(call) : fail(end, call)
      return { stream: streamOf(parts, end, call) }
    },
  }
}

function take(replay: Replay, kind: 'generate' | 'stream', name: string, call: ModelCall): Recording {
  call.abortSignal?.throwIfAborted()
  return replay.take(kind, requestOf(name, call))
}

/** Streams the recorded parts, then the recorded end. */
function streamOf(parts: readonly unknown[], end: Recording['end'], call: ModelCall): ReadableStream<StreamPart> {
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      try {
        call.abortSignal?.throwIfAborted()
        const part = parts[next++]
        if (part !== undefined) controller.enqueue(revived(part))
        else if (end === 'done') controller.close()
        else await (end === 'open' ? stopped(call) : fail(end, call))
      } catch (thrown) {
        controller.error(thrown)
      }
    },
  })
}

function revived(part: unknown): StreamPart {
  const value = fromPlain(part)
  const error = isRecord(value) && value.type === 'error' ? value.error : undefined
  if (isRecord(error)) return { type: 'error', error: new Error(String(error.message)) }
  // A part was recorded.
  return value as StreamPart
}

/** A call that was open at the end of the recorded run stays open until the end of this run. */
function stopped({ abortSignal }: ModelCall): Promise<never> {
  return new Promise((_, reject) => {
    if (abortSignal?.aborted) reject(abortSignal.reason)
    else abortSignal?.addEventListener('abort', () => reject(abortSignal.reason), { once: true })
  })
}

/** Fails with the recorded error, so that the caller makes the same decision about retries. */
async function fail({ message, status, code, type_error }: RecordedFailure, call: ModelCall): Promise<never> {
  // Errors with a status can only be created by a scripted model.
  if (status !== undefined) {
    const { scriptedModel } = await import('@joust/sim')
    await scriptedModel([{ error: { message, status } }]).doGenerate(call)
  }
  throw Object.assign(type_error ? new TypeError(message) : new Error(message), code === undefined ? {} : { code })
}

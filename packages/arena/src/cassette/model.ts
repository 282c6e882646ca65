/** A model whose calls are recorded. */
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

/** The same model; what it is asked and what it answers is kept. */
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
        // Requests and responses as they were on the wire are left out: they may hold keys.
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

/** What identifies a call of a model. Headers may hold keys, and change nothing. */
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

/** An error in a stream may be anything; only its message is read. */
function storable(part: StreamPart): unknown {
  if (part.type !== 'error') return part
  return { type: 'error', error: { message: messageOf(part.error) } }
}

/** Hides what crosses the boundaries of deltas: where that changes a text, its first delta becomes all of it. */
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
    const shown = redact(part)
    if (text === undefined || !isRecord(shown)) return shown
    hidden.set(of, '')
    return { ...shown, delta: text }
  })
}

function deltaOf(part: Value): { readonly of: string; readonly text: string } | undefined {
  if (!isRecord(part) || typeof part.delta !== 'string') return undefined
  return { of: `${String(part.type)} ${String(part.id)}`, text: part.delta }
}

type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>

/** Stands for a model of which there is only the recording. */
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
      if (head === undefined) throw new ArenaError('cassette_failed', 'the recording of this call has no answer')
      // It was an answer when it was recorded.
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

/** The parts one by one, then the end that was recorded. */
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
  // It was a part when it was recorded.
  return value as StreamPart
}

/** A call that had not ended when the recorded run was over does not end before this run is over. */
function stopped({ abortSignal }: ModelCall): Promise<never> {
  return new Promise((_, reject) => {
    if (abortSignal?.aborted) reject(abortSignal.reason)
    else abortSignal?.addEventListener('abort', () => reject(abortSignal.reason), { once: true })
  })
}

/** Fails as the model did, so that the caller decides in the same way whether to retry. */
async function fail({ message, status, code, type_error }: RecordedFailure, call: ModelCall): Promise<never> {
  // From here, an error of the port can only come from a model that has one in its script.
  if (status !== undefined) {
    const { scriptedModel } = await import('@joust/sim')
    await scriptedModel([{ error: { message, status } }]).doGenerate(call)
  }
  throw Object.assign(type_error ? new TypeError(message) : new Error(message), code === undefined ? {} : { code })
}

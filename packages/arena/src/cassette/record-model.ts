/** A model whose calls are recorded. */
import type { LanguageModel } from '@joust/runtime'
import { isRecord, type Value } from '@joust/source'
import { endOf } from './failure.ts'
import type { Redact, Take, Tape } from './tape.ts'

/** What a model is asked. */
export type ModelCall = Parameters<LanguageModel['doGenerate']>[0]
/** A part of a streamed answer. */
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

/** The same model; what it is asked and answers is kept. */
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
        // Requests and responses as they were on the wire stay out: they may hold keys.
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

/** What tells calls of a model apart. Headers may hold keys, and decide nothing. */
export function requestOf(model: string, call: ModelCall): unknown {
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

/** An error in a stream may be anything; its message is what is read. */
function storable(part: StreamPart): unknown {
  if (part.type !== 'error') return part
  return { type: 'error', error: { message: part.error instanceof Error ? part.error.message : String(part.error) } }
}

/** Hides what goes over the edges of deltas: where a text as a whole is changed, its first delta becomes all of it. */
function joinDeltas(parts: readonly Value[], redact: Redact): readonly Value[] {
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
    if (text === undefined || !isRecord(part)) return redact(part)
    hidden.set(of, '')
    return { ...part, delta: text }
  })
}

function deltaOf(part: Value): { readonly of: string; readonly text: string } | undefined {
  if (!isRecord(part) || typeof part.delta !== 'string') return undefined
  return { of: `${String(part.type)} ${String(part.id)}`, text: part.delta }
}

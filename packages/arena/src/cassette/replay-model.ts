/** A model that only repeats what was recorded. */
import type { LanguageModel } from '@joust/runtime'
import { isRecord } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { fromPlain } from './plain.ts'
import { type ModelCall, requestOf, type StreamPart } from './record-model.ts'
import type { RecordedFailure, RecordedModel, Recording } from './recording.ts'
import type { Shelf } from './shelf.ts'

type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>

/** Stands for a model of which there is nothing but the recording. */
export function replayModel({ name, provider, model_id }: Omit<RecordedModel, 'kind'>, shelf: Shelf): LanguageModel {
  return {
    specificationVersion: 'v3',
    provider,
    modelId: model_id,
    supportedUrls: {},
    async doGenerate(call) {
      const { head, end } = take(shelf, 'generate', name, call)
      if (end === 'open') return stopped(call)
      if (end !== 'done') return fail(end, call)
      if (head === undefined) throw new ArenaError('cassette_failed', 'the recording of this call has no answer')
      // It was an answer when it was recorded.
      return fromPlain(head) as Answer
    },
    async doStream(call) {
      const { head, parts = [], end } = take(shelf, 'stream', name, call)
      if (head === undefined) return end === 'open' || end === 'done' ? stopped(call) : fail(end, call)
      return { stream: streamOf(parts, end, call) }
    },
  }
}

function take(shelf: Shelf, kind: 'generate' | 'stream', name: string, call: ModelCall): Recording {
  call.abortSignal?.throwIfAborted()
  return shelf.take(kind, requestOf(name, call))
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

/** A call that had not ended when the run was over does not end before this one is. */
function stopped({ abortSignal }: ModelCall): Promise<never> {
  return new Promise((_, reject) => {
    if (abortSignal?.aborted) reject(abortSignal.reason)
    else abortSignal?.addEventListener('abort', () => reject(abortSignal.reason), { once: true })
  })
}

/** Fails as the model did, so that whoever asked decides the same about another try. */
async function fail({ message, status, code, type_error }: RecordedFailure, call: ModelCall): Promise<never> {
  // The only way to an error of the port from here is a model that has one in its script.
  if (status !== undefined) {
    const { scriptedModel } = await import('@joust/sim')
    await scriptedModel([{ error: { message, status } }]).doGenerate(call)
  }
  throw Object.assign(type_error ? new TypeError(message) : new Error(message), code === undefined ? {} : { code })
}

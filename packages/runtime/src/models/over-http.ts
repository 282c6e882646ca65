/** A model over HTTP whose failures say what came in place of an answer. */
import { cut } from '@joust/source'
import type { LanguageModel, ModelStreamPart } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { answersNothing, isSaying, withWire } from './no-answer.ts'
import { faultOf } from './retry.ts'
import { tolerantBody } from './tolerant-body.ts'

/** A shorter text is not a key, and occurs inside words. */
const SHORTEST = 4
/** More than is shown, so that a secret that extends beyond the cut is still found. */
const KEPT = 4 * runtimeLimits.modelShownCharacters

/** The model that `make` returns; each call has a `fetch` of its own that notes what comes back. */
export function overHttp(make: (reach: typeof fetch) => LanguageModel, secret = ''): LanguageModel {
  const { provider, modelId, supportedUrls } = make(fetch)
  return {
    specificationVersion: 'v3',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(call) {
      const wire = new Wire(secret)
      try {
        const answer = await make(wire.fetch).doGenerate(call)
        return answersNothing(answer.content) ? withWire(answer, wire.came()) : answer
      } catch (thrown) {
        throw wire.explained(thrown)
      }
    },
    async doStream(call) {
      const wire = new Wire(secret)
      try {
        const answer = await make(wire.fetch).doStream(call)
        return { ...answer, stream: answer.stream.pipeThrough(explaining(wire)) }
      } catch (thrown) {
        throw wire.explained(thrown)
      }
    },
  }
}

function explaining(wire: Wire): TransformStream<ModelStreamPart, ModelStreamPart> {
  let said = false
  let finished = false
  return new TransformStream({
    transform(part, controller) {
      said ||= isSaying(part)
      finished ||= part.type === 'finish'
      if (part.type === 'error') controller.enqueue({ type: 'error', error: wire.explained(part.error) })
      else controller.enqueue(part.type === 'finish' && !said ? withWire(part, wire.came()) : part)
    },
    flush(controller) {
      if (said || finished) return
      controller.enqueue({ type: 'error', error: wire.explained(new Error('the stream had no answer in it')) })
    },
  })
}

/** What came over the wire for one call. */
class Wire {
  readonly #secret: string
  readonly #decoder = new TextDecoder()
  #contentType: string | undefined
  #start = ''

  constructor(secret: string) {
    this.#secret = secret
  }

  readonly fetch: typeof fetch = async (input, init) => {
    // Nobody named the host of a redirect, and keys in custom headers would go there too.
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, statusText, headers, body } = response
    this.#contentType = headers.get('content-type') ?? 'no content type'
    this.#start = ''
    if (body === null) return response
    const shown = body.pipeThrough(this.#listener())
    return new Response(shown.pipeThrough(tolerantBody(this.#contentType)), { status, statusText, headers })
  }

  /** Why there is no answer. Refusals by status and broken connections already explain themselves. */
  explained(thrown: unknown): unknown {
    // Some providers repeat the key that they refuse.
    if (thrown instanceof Error) thrown.message = this.#clean(thrown.message)
    const { message, retryable, status = 0 } = faultOf(thrown, 0)
    if (this.#contentType === undefined || retryable || status >= 400) return thrown
    return new Error(`${message}; what came back was ${this.came()}`, { cause: thrown })
  }

  /** Its content type and first characters. */
  came(): string {
    const most = runtimeLimits.modelShownCharacters
    const text = cut(this.#clean(this.#start), most)
    return `${this.#contentType}, ${text.trim() === '' ? 'empty' : JSON.stringify(text)}`
  }

  #clean(text: string): string {
    return this.#secret.length < SHORTEST ? text : text.replaceAll(this.#secret, '[hidden]')
  }

  #listener(): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream({
      transform: (chunk, controller) => {
        if (this.#start.length < KEPT) this.#start += this.#decoder.decode(chunk.subarray(0, KEPT), { stream: true })
        controller.enqueue(chunk)
      },
    })
  }
}

/** HTTP model clients that add a response excerpt to error messages. */
import { cut, own, ownText } from '@joust/source'
import type { LanguageModel, ModelStreamPart } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { hasContent, isEmptyAnswer, withResponse } from './finish-reason.ts'
import { repairBody } from './repair-body.ts'
import { callErrorOf } from './retry.ts'

/** Shorter strings also occur inside ordinary words. */
const SHORTEST = 4
/** More characters than are shown, so that a secret at the end of the excerpt is detected. */
const KEPT = 4 * runtimeLimits.modelShownCharacters

interface HttpSettings {
  readonly apiKey?: string
  /** @default the global function */
  readonly fetch?: typeof fetch
}

/** Maximum number of idle clients per model. Only successful clients are kept. */
const IDLE = 8

interface Client {
  readonly model: LanguageModel
  recorder: ResponseRecorder
}

/** Wraps the models returned by `create`. Each call records its response for error messages. */
export function httpModel(
  create: (transport: typeof fetch) => LanguageModel,
  { apiKey = '', fetch: transport = fetch }: HttpSettings,
): LanguageModel {
  // Libraries build their schemas for each model, which takes longer than a call over loopback.
  const first = open()
  const idle = [first]
  function open(): Client {
    const client: Client = {
      model: create((input, init) => client.recorder.fetch(input, init)),
      recorder: new ResponseRecorder(apiKey, transport),
    }
    return client
  }
  const take = (): Client => {
    const client = idle.pop() ?? open()
    client.recorder = new ResponseRecorder(apiKey, transport)
    return client
  }
  const giveBack = (client: Client) => {
    if (idle.length < IDLE) idle.push(client)
  }
  const { provider, modelId, supportedUrls } = first.model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    async doGenerate(call) {
      const client = take()
      try {
        const answer = await client.model.doGenerate(call)
        const { recorder } = client
        giveBack(client)
        return isEmptyAnswer(answer.content) ? withResponse(answer, recorder.excerpt()) : answer
      } catch (thrown) {
        throw client.recorder.explain(thrown)
      }
    },
    async doStream(call) {
      const client = take()
      try {
        const answer = await client.model.doStream(call)
        const stream = answer.stream.pipeThrough(explainErrors(client.recorder, () => giveBack(client)))
        return { ...answer, stream }
      } catch (thrown) {
        throw client.recorder.explain(thrown)
      }
    },
  }
}

function explainErrors(
  recorder: ResponseRecorder,
  onEnd: () => void,
): TransformStream<ModelStreamPart, ModelStreamPart> {
  let hasAnswer = false
  let finished = false
  return new TransformStream({
    transform(part, controller) {
      hasAnswer ||= hasContent(part)
      finished ||= part.type === 'finish'
      if (part.type === 'error') controller.enqueue({ type: 'error', error: recorder.explain(toError(part.error)) })
      else controller.enqueue(part.type === 'finish' && !hasAnswer ? withResponse(part, recorder.excerpt()) : part)
    },
    flush(controller) {
      onEnd()
      if (hasAnswer || finished) return
      controller.enqueue({ type: 'error', error: recorder.explain(new Error('the stream contains no answer')) })
    },
  })
}

/** Converts an error that a library reports as plain data. */
function toError(error: unknown): unknown {
  const message = error instanceof Error ? undefined : ownText(error, 'message')
  return message === undefined ? error : new Error(message)
}

class ResponseRecorder {
  readonly #secret: string
  readonly #transport: typeof fetch
  readonly #decoder = new TextDecoder()
  #contentType: string | undefined
  #isSuccess = false
  #start = ''

  constructor(secret: string, transport: typeof fetch) {
    this.#secret = secret
    this.#transport = transport
  }

  readonly fetch: typeof fetch = async (input, init) => {
    // Redirects are not followed, because they would send keys in custom headers to another host.
    const response = await this.#transport(input, { ...init, redirect: 'manual' })
    const { status, statusText, headers, body } = response
    this.#contentType = headers.get('content-type') ?? 'no content type'
    this.#isSuccess = response.ok
    this.#start = ''
    if (body === null) return response
    const recorded = body.pipeThrough(this.#listener())
    return new Response(recorded.pipeThrough(repairBody(this.#contentType)), { status, statusText, headers })
  }

  /** Adds a response excerpt to an error, except for HTTP and network errors. */
  explain(thrown: unknown): unknown {
    // Some providers repeat an invalid key in their message.
    if (thrown instanceof Error) thrown.message = this.#clean(thrown.message)
    const { message, retryable, status = 0 } = callErrorOf(thrown, 0)
    // The OpenAI library reports a successful response without an answer as status 500.
    const isInvented = this.#isSuccess && own(thrown, 'isRetryable') === false
    if (this.#contentType === undefined || (!isInvented && (retryable || status >= 400))) return thrown
    return new Error(`${message}; response: ${this.excerpt()}`, { cause: thrown })
  }

  /** Returns the content type and the first characters of the response. */
  excerpt(): string {
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

/** Collects a streamed answer and forwards its text. */
import { onAbort } from '@joust/io'
import { defined } from '@joust/source'
import type { ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

interface StreamListener {
  onText(delta: string): void
  /** Called for each stream part. @default not called */
  onPart?(): void
}

/** Reads a stream to its end. Rejects if the stream reports an error. */
export async function readStream(
  stream: ReadableStream<ModelStreamPart>,
  { onText, onPart = () => {} }: StreamListener,
  signal: AbortSignal,
): Promise<Omit<ModelAnswer, 'warnings'>> {
  const reader = stream.getReader()
  // Otherwise the reader would hang on a provider that ignores the signal.
  const stop = () => void reader.cancel(signal.reason).catch(() => {})
  const removeListener = onAbort(signal, stop)
  const collector = new Collector(onText)
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onPart()
      collector.take(next.value)
    }
    signal.throwIfAborted()
    return collector.answer()
  } catch (thrown) {
    stop()
    throw thrown
  } finally {
    removeListener()
  }
}

type Open = { readonly type: 'text' | 'reasoning'; text: string; providerMetadata?: Metadata }
type Metadata = Extract<ModelContent, { type: 'text' }>['providerMetadata']

class Collector {
  readonly #parts: (Open | ModelContent)[] = []
  readonly #open = new Map<string, Open>()
  readonly #onText: (delta: string) => void
  #finish: Extract<ModelStreamPart, { type: 'finish' }> | undefined

  constructor(onText: (delta: string) => void) {
    this.#onText = onText
  }

  take(part: ModelStreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#start(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata)
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.#add(part.type === 'text-delta' ? 'text' : 'reasoning', part.id, part.delta, part.providerMetadata)
        break
      case 'text-end':
      case 'reasoning-end':
        this.#note(part.id, part.providerMetadata)
        break
      case 'tool-call':
      case 'tool-result':
      case 'file':
      case 'source':
        this.#parts.push(part)
        break
      case 'finish':
        this.#finish = part
        break
      case 'error':
        throw part.error
      default:
        break
    }
  }

  answer(): Omit<ModelAnswer, 'warnings'> {
    if (this.#finish === undefined) throw new TypeError('the stream terminated before the answer was complete')
    const { usage, finishReason, providerMetadata } = this.#finish
    // The parts in progress have the shape of content parts.
    return defined({ content: this.#parts as ModelContent[], usage, finishReason, providerMetadata })
  }

  #start(type: Open['type'], id: string, metadata: Metadata): Open {
    const open: Open = metadata === undefined ? { type, text: '' } : { type, text: '', providerMetadata: metadata }
    this.#open.set(`${type} ${id}`, open)
    this.#parts.push(open)
    return open
  }

  #add(type: Open['type'], id: string, delta: string, metadata: Metadata): void {
    const open = this.#open.get(`${type} ${id}`) ?? this.#start(type, id, metadata)
    open.text += delta
    if (metadata !== undefined) open.providerMetadata = metadata
    if (type === 'text' && delta !== '') this.#onText(delta)
  }

  /** Records metadata. Signatures of reasoning arrive only at the end of a part. */
  #note(id: string, metadata: Metadata): void {
    for (const type of ['text', 'reasoning']) {
      const open = this.#open.get(`${type} ${id}`)
      if (open !== undefined && metadata !== undefined) open.providerMetadata = metadata
    }
  }
}

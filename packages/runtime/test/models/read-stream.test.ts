import { describe, expect, it } from 'vitest'
import type { ModelStreamPart } from '../../src/model/language-model.ts'
import { readStream } from '../../src/models/read-stream.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish: ModelStreamPart = { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } }

function streamOf(parts: readonly ModelStreamPart[]): ReadableStream<ModelStreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

const read = (parts: readonly ModelStreamPart[], onText: (delta: string) => void = () => {}) =>
  readStream(streamOf(parts), { onText }, new AbortController().signal)

describe('readStream', () => {
  it('collects parts in order and passes text on', async () => {
    const deltas: string[] = []
    const parts: ModelStreamPart[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'a' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text-delta', id: 't', delta: 'b' },
      { type: 'text-end', id: 't' },
      { type: 'tool-input-start', id: 'c', toolName: 'x' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{}' },
      finish,
    ]
    const answer = await read(parts, (delta) => deltas.push(delta))
    expect(answer.content).toEqual([
      { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'ab' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{}' },
    ])
    expect(deltas).toEqual(['a', 'b'])
  })

  it('accepts text without a start event', async () => {
    expect((await read([{ type: 'text-delta', id: 't', delta: 'a' }, finish])).content).toEqual([
      { type: 'text', text: 'a' },
    ])
  })

  it('rejects on a stream error and on an early end', async () => {
    await expect(read([{ type: 'error', error: new Error('broken') }, finish])).rejects.toThrow('broken')
    await expect(read([{ type: 'text-delta', id: 't', delta: 'a' }])).rejects.toThrow('terminated')
  })

  it('cancels the stream when the signal is aborted', async () => {
    const controller = new AbortController()
    let cancelled: unknown
    const stream = new ReadableStream<ModelStreamPart>({
      cancel(reason) {
        cancelled = reason
      },
    })
    const pending = readStream(stream, { onText: () => {} }, controller.signal)
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    expect(cancelled).toMatchObject({ message: 'enough' })
  })
})

/** Creates the data blocks of a report: gzipped text in Base64, which browsers neither execute nor parse. */
import { base64Of } from '@joust/source'
import { TRACE_SEPARATOR, traceBlockId } from '../components/data.ts'

/** Number of trace characters per block: enough to compress well, few enough to open quickly. */
const BLOCK_CHARACTERS = 262_144

/** A collector of traces in blocks. Only compressed blocks are kept in memory. */
export interface TraceBlocks {
  /** Adds a trace. Returns the index of the block, and the index of the trace in it. */
  add(text: string): Promise<{ readonly block: number; readonly part: number }>
  /** Returns all blocks. Call it after adding the last trace. */
  finish(): Promise<readonly string[]>
}

export function createTraceBlocks(): TraceBlocks {
  const blocks: string[] = []
  let texts: string[] = []
  let characters = 0
  const flush = async () => {
    if (texts.length === 0) return
    const text = texts.join(TRACE_SEPARATOR)
    texts = []
    characters = 0
    blocks.push(await dataBlock(traceBlockId(blocks.length), text))
  }
  return {
    async add(text) {
      const place = { block: blocks.length, part: texts.length }
      texts.push(text)
      characters += text.length
      if (characters >= BLOCK_CHARACTERS) await flush()
      return place
    },
    async finish() {
      await flush()
      return blocks
    },
  }
}

/** Creates a block with a compressed text, which may be passed in parts. */
export async function dataBlock(id: string, text: string | Iterable<string>): Promise<string> {
  const stream = encoded(typeof text === 'string' ? [text] : text).pipeThrough(new CompressionStream('gzip'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  return `<script type="text/plain" id="${id}">${base64Of(bytes)}</script>\n`
}

function encoded(texts: Iterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = texts[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = parts.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

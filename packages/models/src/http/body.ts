/** Bodies as text for the record: decompressed within a limit. */
import * as zlib from 'node:zlib'
import { strictText } from '@joust/io'
import { messageOf } from '@joust/source'
import type { HeaderList } from '../model/call.ts'
import { diagnose, type ModelDiagnostic } from '../model/diagnostics.ts'
import { modelLimits } from '../model/limits.ts'

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

const zstd: unknown = Reflect.get(zlib, 'zstdDecompressSync')

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['br', zlib.brotliDecompressSync],
  ['deflate', zlib.inflateSync],
  // Missing in Node 20; later versions have it in the shape of the others.
  ...(typeof zstd === 'function' ? [['zstd', zstd as Decompress] as const] : []),
])

/** True if this version of Node can decode the content encoding. */
export function canDecode(encoding: string): boolean {
  return decompressors.has(encoding)
}

/** The text of a body, or the reason why it cannot be decoded. */
type BodyText = { readonly text: string } | { readonly diagnostic: ModelDiagnostic }

/** Reads a whole body. */
export function bodyText(bytes: Uint8Array, headers: HeaderList, kind: 'request' | 'answer'): BodyText {
  let plain = bytes
  for (const encoding of encodingsOf(headers)) {
    const decompress = decompressors.get(encoding)
    if (decompress === undefined) {
      const message = `unsupported content encoding ${encoding} of the ${kind}`
      return { diagnostic: diagnose('encoding-unknown', message) }
    }
    try {
      plain = decompress(plain, { maxOutputLength: modelLimits.decompressedBytes })
    } catch (thrown) {
      return { diagnostic: diagnose('encoding-broken', `the ${kind} is not valid ${encoding}: ${messageOf(thrown)}`) }
    }
  }
  return { text: strictText(plain).text }
}

/** The encodings of a body, the last applied first. */
function encodingsOf(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
    .reverse()
}

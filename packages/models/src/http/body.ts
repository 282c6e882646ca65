/** Decodes recorded bodies to text, with a limit on the decompressed size. */
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
  // Missing in Node 20; later versions have the same signature as the others.
  ...(typeof zstd === 'function' ? [['zstd', zstd as Decompress] as const] : []),
])

/** True if this version of Node can decode the content encoding. */
export function canDecode(encoding: string): boolean {
  return decompressors.has(encoding)
}

type BodyText = { readonly text: string } | { readonly diagnostic: ModelDiagnostic }

/** Decompresses and decodes a complete body. */
export function bodyText(bytes: Uint8Array, headers: HeaderList, kind: 'request' | 'answer'): BodyText {
  let plain = bytes
  for (const encoding of encodingsOf(headers)) {
    const decompress = decompressors.get(encoding)
    if (decompress === undefined) {
      const message = `unsupported ${kind} encoding ${encoding}`
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

/** Content encodings, the last applied first. */
function encodingsOf(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
    .reverse()
}

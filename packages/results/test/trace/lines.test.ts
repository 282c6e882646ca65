import { writeJson } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTrace } from '../../src/files/trace-file.ts'
import { endLine, traceLine, versionLine } from '../../src/trace/lines.ts'
import { anyEntry, collect, entry, nested } from '../support/entries.ts'
import { readTraceLines } from '../support/trace-lines.ts'

const keysOf = (value: unknown) => writeJson(value)

test('all entries survive a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEntry, { maxLength: 5 }), async (entries) => {
      const items = await collect(
        readTraceLines([versionLine(), ...entries.map(traceLine), endLine({ ended: 'done', entries: entries.length })]),
      )
      expect(items.map((item) => item.ok)).toEqual(entries.map(() => true))
      const read = items.map((item) => (item.ok ? item.value : undefined))
      expect(read).toEqual(entries)
      // `toEqual` does not look at own keys called `__proto__`.
      expect(read.map(keysOf)).toEqual(entries.map(keysOf))
    }),
  )
})

test('chunks of any size give the same entries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEntry, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      async (entries, sizes) => {
        const text = `${[versionLine(), ...entries.map(traceLine), endLine({ ended: 'done', entries: entries.length })].join('\n')}\n`
        const items = await collect(readTrace(inPieces(new TextEncoder().encode(text), sizes)))
        expect(items).toEqual(entries.map((value) => ({ ok: true, value })))
      },
    ),
  )
})

async function* inPieces(whole: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield whole.slice(at, at + size)
    at += size
  }
}

test('content of any depth survives', async () => {
  const deep = entry({ content: nested(200_000), session: 's' })
  expect(() => JSON.stringify(deep)).toThrow(RangeError)
  const [item] = await collect(readTraceLines([versionLine(), traceLine(deep)]))
  expect(item?.ok && item.value.session).toBe('s')
  expect(item?.ok && writeJson(item.value.content) === writeJson(deep.content)).toBe(true)
})

test('content that JSON cannot represent becomes a malformed entry', async () => {
  const circle: { [key: string]: never } = {}
  Object.assign(circle, { circle })
  const [item] = await collect(readTraceLines([versionLine(), traceLine(entry({ seq: 7, content: circle }))]))
  expect(item).toMatchObject({ ok: true, value: { seq: 7, content: '' } })
  expect(item?.ok && item.value.malformed).toContain('cannot write the content')
})

/** What holds for a pipe, however it is carried. */

import type { Line } from '@joust/io'
import { afterEach, describe, expect, test } from 'vitest'
import type { Pipe } from '../../src/model/wiring.ts'

export async function nextOf(lines: AsyncIterator<Line>): Promise<Line | undefined> {
  const { done, value } = await lines.next()
  return done ? undefined : value
}

/** The suite; the peer at the other end echoes every line, up to 1000 bytes each. */
export function describePipe(name: string, open: () => Promise<Pipe>): void {
  describe(name, () => {
    let pipe: Pipe | undefined
    afterEach(() => pipe?.close())
    const begin = async () => {
      pipe = await open()
      return { pipe, lines: pipe.lines[Symbol.asyncIterator]() }
    }

    test('lines go both ways, in order', async () => {
      const { pipe, lines } = await begin()
      await pipe.send('{"a": "grüß 🙂"}')
      await pipe.send('')
      await pipe.send(' two ')
      expect([await nextOf(lines), await nextOf(lines), await nextOf(lines)]).toEqual([
        { text: '{"a": "grüß 🙂"}' },
        { text: '' },
        { text: ' two ' },
      ])
      expect(pipe.ending()).toBeUndefined()
    })

    test('text with line breaks is several lines', async () => {
      const { pipe, lines } = await begin()
      await pipe.send('a\r\nb')
      expect([await nextOf(lines), await nextOf(lines)]).toEqual([{ text: 'a' }, { text: 'b' }])
    })

    test('a line over the limit is cut', async () => {
      const { pipe, lines } = await begin()
      await pipe.send('x'.repeat(1001))
      await pipe.send('next')
      const long = await nextOf(lines)
      expect([long?.text.length, long?.fault]).toEqual([1000, 'longer than 1000 bytes'])
      expect(await nextOf(lines)).toEqual({ text: 'next' })
    })

    test('closing ends the lines, says so, and can be repeated', async () => {
      const { pipe, lines } = await begin()
      const next = lines.next()
      await Promise.all([pipe.close(), pipe.close()])
      expect((await next).done).toBe(true)
      expect(pipe.ending()).toMatch(/./)
      await pipe.send('lost')
      expect((await lines.next()).done).toBe(true)
    })

    test('a thousand lines go through while they are read', async () => {
      const { pipe, lines } = await begin()
      const sending = (async () => {
        for (let count = 0; count < 1000; count++) await pipe.send(`${count} ${'x'.repeat(500)}`)
      })()
      for (let count = 0; count < 1000; count++) expect((await nextOf(lines))?.text.split(' ')[0]).toBe(String(count))
      await sending
    })
  })
}

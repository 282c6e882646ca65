import { expect, it } from 'vitest'
import { readBody } from '../../src/drivers/http-body.ts'
import { ArenaError } from '../../src/model/errors.ts'

async function* chunks(texts: readonly string[], thrown?: Error) {
  for (const text of texts) yield new TextEncoder().encode(text)
  if (thrown !== undefined) throw thrown
}

it('reads to the end', async () => {
  expect(await readBody(chunks(['a', 'b']), 2)).toEqual({ text: 'ab' })
})

it('keeps the part within the limit', async () => {
  expect(await readBody(chunks(['a', 'bc']), 2)).toEqual({ text: 'ab', fault: 'more than 2 bytes' })
})

it('keeps the received part', async () => {
  const error = new ArenaError('connection_lost', 'cut')
  expect(await readBody(chunks(['a'], error), 2)).toEqual({ text: 'a', fault: 'cut off: cut', broken: error })
  expect(await readBody(chunks([], new TypeError('odd')), 2)).toMatchObject({ broken: { code: 'connection_lost' } })
})

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { stdioPipe } from '../../src/transport/stdio.ts'
import { describePipe, nextOf } from './pipe-contract.ts'

describePipe('a pipe over our own streams', async () => {
  const there = new PassThrough()
  return stdioPipe({ maxLineBytes: 1000, input: there, output: there })
})

test('the end of the input ends the lines, the last one included', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const pipe = stdioPipe({ maxLineBytes: 10, input, output })
  input.end('a\nb')
  const lines = pipe.lines[Symbol.asyncIterator]()
  expect([await nextOf(lines), await nextOf(lines), await nextOf(lines)]).toEqual([
    { text: 'a' },
    { text: 'b' },
    undefined,
  ])
  expect(pipe.ending()).toBe('the input ended')
})

test('closing leaves the output open and releases the input', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  await stdioPipe({ maxLineBytes: 10, input, output }).close()
  expect([input.destroyed, output.destroyed, output.writableEnded]).toEqual([true, false, false])
})

test('an output that breaks ends the pipe, also for writers that wait', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const pipe = stdioPipe({ maxLineBytes: 10, input, output })
  const waiting = pipe.send('x'.repeat(100_000))
  const next = pipe.lines[Symbol.asyncIterator]().next()
  output.destroy(new Error('EPIPE'))
  await waiting
  expect([(await next).done, pipe.ending()]).toEqual([true, 'the output was closed'])
})

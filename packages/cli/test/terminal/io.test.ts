import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { giveUp } from '../../src/terminal/io.ts'
import { memoryIo } from '../world.ts'

const REASON = 'the module cannot be loaded: no tools\n  File "agent.py", line 3\n    raise \u0007ValueError'

test('the traceback of an error is dimmed line by line on a terminal, with its control characters escaped', () => {
  const { io, stderr } = memoryIo({ isTTY: true, env: { TERM: 'xterm' } })
  expect(giveUp(REASON, io, 3)).toBe(3)
  expect(stderr.join('')).toContain('\x1b[2m  File "agent.py", line 3\x1b[22m\n\x1b[2m    raise ')
  expect(stderr.join('')).not.toContain('\u0007')
})

test('elsewhere the traceback has no colour', () => {
  const { io, stderr } = memoryIo()
  giveUp(REASON, io)
  expect(stderr.join('')).toBe(stripVTControlCharacters(stderr.join('')))
  expect(stderr.join('')).toContain('\n  File "agent.py", line 3\n')
})

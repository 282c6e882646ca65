import { expect, test } from 'vitest'
import { demo } from '../../src/commands/demo.ts'
import { folder, joust, memoryIo } from '../world.ts'

test('shows each command before its output and ends by saying what was shown', async () => {
  const { code, stdout, stderr } = await joust(['demo'], { cwd: folder() })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const commands = stdout.split('\n').filter((line) => line.startsWith('$ '))
  expect(commands.map((line) => line.split(' ')[2])).toEqual(['validate', 'explain', 'evaluate', 'evaluate'])
  expect(stdout).toContain('exploited (boundary_breach)')
  expect(stdout).toContain('not_exploited')
  expect(stdout.trim().split('\n').at(-2)).toMatch(/^Shown: /)
})

test('fails without the examples', async () => {
  const { io, stderr } = memoryIo()
  expect(await demo(io, folder())).toBe(10)
  expect(stderr.join('')).toContain('the demo needs the examples')
})

test('fails when a scene does not show what it should', async () => {
  const story = 'examples/tool-description-injection/attack.oatf.yaml'
  const { io, stderr } = memoryIo()
  expect(await demo(io, folder({ [story]: 'oatf: "0.9"\nattack: {}\n' }))).toBe(10)
  expect(stderr.join('')).toContain('"joust validate examples" should have ended with exit code 0')
})

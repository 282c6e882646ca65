import { knownShapes } from '@joust/results'
import { expect, test } from 'vitest'
import { resumeLine } from '../../src/commands/run.ts'
import { folder, joust, memoryIo } from '../world.ts'
import { SERVER } from './documents.ts'

test('the command as it was given, quoted, with --resume in place of --out, and without keys', () => {
  const { io } = memoryIo({ env: { MY_TOKEN: 'hunter2hunter2' } })
  const given = {
    model: ['sim/silent'],
    prompt: ["it's me"],
    out: ['x'],
    noPreflight: [],
    header: ['authorization=Bearer hunter2hunter2'],
    exec: ['env API_KEY=abc agent {prompt}'],
  }
  expect(resumeLine(['library', 'a b.yaml'], given, 'joust-results/1', knownShapes(), io)).toBe(
    `joust run library 'a b.yaml' --model sim/silent --prompt 'it'\\''s me' --no-preflight --header 'authorization=[hidden]' --exec 'env API_KEY=[hidden] agent {prompt}' --resume joust-results/1`,
  )
})

test('Ctrl-C and an exhausted budget print the command that resumes', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 200)
  const hanging = ['run', 'a.oatf.yaml', '--exec', 'sleep 60', '--out', 'out', '--report', 'json', '--quiet']
  const ended = await joust(hanging, { cwd, interruption: stop.signal })
  expect(ended.code).toBe(130)
  expect(ended.stderr).toBe(
    `joust: to continue: joust run a.oatf.yaml --exec 'sleep 60' --report json --quiet --resume out\n`,
  )
  const budget = [
    'run',
    'a.oatf.yaml',
    '--model',
    'sim/silent',
    '--trials',
    '9',
    '--concurrency',
    '1',
    '--budget-calls',
    '1',
  ]
  const spent = await joust([...budget, '--grace', '0', '--out', 'two', '--report', 'json'], { cwd })
  expect(spent.stderr).toContain('--grace 0 --budget-calls 1 --report json --resume two\n')
})

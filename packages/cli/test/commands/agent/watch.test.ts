/** `joust agent run --watch`, with the watcher of the system. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../../src/main.ts'
import { agentText, teamText } from '../../agents.ts'
import { folder, joust, memoryIo } from '../../world.ts'

/** Waits until a text has been written. */
async function until(texts: readonly string[], wanted: string): Promise<void> {
  await expect.poll(() => texts.join(''), { timeout: 20_000, interval: 10 }).toContain(wanted)
}

/** Starts the command; `change` replaces a file and waits for the end of the run that follows. */
function start(cwd: string, input: string) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { io, stdout, stderr } = memoryIo({ cwd, interruption: stop.signal })
  const ended = run(['agent', 'run', 'a.agf.yaml', '--watch', '--input', input], io)
  const change = async (name: string, text: string) => {
    stdout.length = 0
    stderr.length = 0
    // As editors do: written to another file, then moved into place.
    writeFileSync(join(cwd, 'new'), text)
    renameSync(join(cwd, 'new'), join(cwd, name))
    await until(stderr, 'watching for changes; Ctrl-C stops')
  }
  return { stop, stdout, stderr, ended, change }
}

test('runs again when the agent, a sub-agent, joust.yaml or the input changes; Ctrl-C ends it', async () => {
  const config = (model: string) => `bindings: { models: { sim/cautious: ${model} } }\n`
  const files = { 'a.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': agentText(), 'in.txt': 'tea' }
  const cwd = folder({ ...files, 'joust.yaml': config('sim/cautious') })
  const { stop, stdout, stderr, ended, change } = start(cwd, '@in.txt')
  await until(stderr, 'watching for changes; Ctrl-C stops')
  expect(stdout.join('')).toContain('simulated cautious answer')
  await change('in.txt', 'cake')
  expect(stdout.join('')).toContain('cake')
  await change('joust.yaml', config('sim/silent'))
  expect(stdout.join('')).toContain('simulated silent answer')
  await change('b.agf.yaml', agentText({ input: '{ type: number }' }))
  expect([stdout.join(''), stderr.join('')]).toEqual(['', expect.stringContaining('error')])
  await change('b.agf.yaml', agentText())
  await change('a.agf.yaml', agentText({ id: 'alone' }))
  expect(stderr.join('')).toContain('alone  started')
  stop.abort()
  expect(await ended).toBe(130)
})

test('a sub-agent that is added while it watches is watched, even before its file exists', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { stop, stdout, stderr, ended, change } = start(cwd, 'tea')
  await until(stderr, 'watching for changes; Ctrl-C stops')
  await change('a.agf.yaml', teamText('parts/b.agf.yaml'))
  expect(stderr.join('')).toContain('parts/b.agf.yaml')
  expect(stdout.join('')).toBe('')
  stderr.length = 0
  mkdirSync(join(cwd, 'parts'))
  writeFileSync(join(cwd, 'parts/b.agf.yaml'), agentText())
  await until(stdout, 'simulated cautious answer')
  await until(stderr, 'watching for changes; Ctrl-C stops')
  await change('parts/b.agf.yaml', agentText({ input: '{ type: number }' }))
  expect(stdout.join('')).toBe('')
  await change('parts/b.agf.yaml', agentText())
  expect(stdout.join('')).toContain('simulated cautious answer')
  // A file that nothing refers to any more is not watched.
  await change('a.agf.yaml', agentText({ id: 'alone' }))
  writeFileSync(join(cwd, 'parts/b.agf.yaml'), 'a: [')
  await change('a.agf.yaml', agentText({ id: 'still' }))
  expect(stderr.join('')).not.toContain('b.agf.yaml')
  stop.abort()
  expect(await ended).toBe(130)
})

test('Ctrl-C during the first run ends the command', async () => {
  const tool = `export const greet = { call: (_, { signal }) => new Promise((_, reject) => {
  globalThis.interruptTheWatch()
  signal.addEventListener('abort', () => reject(new Error('stopped')))
}), inputSchema: { type: 'object', properties: { person: { type: 'string' } }, required: ['person'] } }\n`
  const cwd = folder({
    'a.agf.yaml': agentText({ actions: '{ local_tools: [{ alias: greet, description: Greet a person. }] }' }),
    'joust.yaml': 'bindings: { tools: { greet: { module: ./tools.mjs } } }\n',
    'tools.mjs': tool,
  })
  const { stop, ended, stderr } = start(cwd, 'Greet the person "Ann".')
  Object.assign(globalThis, { interruptTheWatch: () => stop.abort() })
  expect(await ended).toBe(130)
  expect(stderr.join('')).not.toContain('watching')
})

test('standard input cannot be watched', async () => {
  const argv = ['agent', 'run', 'a.agf.yaml', '--watch', '--input', '-']
  expect(await joust(argv, { cwd: folder({ 'a.agf.yaml': agentText() }) })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('--watch cannot watch standard input'),
  })
})

import { afterEach, expect, test, vi } from 'vitest'
import { openFleet } from '../src/index.ts'
import { loadBull, loadPg } from '../src/libraries.ts'

afterEach(() => {
  vi.doUnmock('pg')
  vi.doUnmock('bullmq')
  vi.resetModules()
})

test.each([
  ['pg', loadPg],
  ['bullmq', loadBull],
])('a missing optional package %s is reported with the command that installs it', async (name, loadPeer) => {
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`)
  })
  const message = `campaigns require the package ${name}: npm install pg@8.23.1 bullmq@6.7.0`
  await expect(loadPeer()).rejects.toMatchObject({ code: 'library_missing', message })
  if (name === 'pg') await expect(openFleet('postgres://127.0.0.1:9/x')).rejects.toThrow(message)
})

test('the versions in the message match the peer dependencies', async () => {
  const { default: about } = await import('../package.json', { with: { type: 'json' } })
  expect(about.peerDependencies).toEqual({ bullmq: '6.7.0', pg: '8.23.1' })
})

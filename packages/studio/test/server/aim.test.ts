import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AimInput, StudioWork } from '../../src/index.ts'
import { openTestStudio } from './open.ts'

const input: AimInput = { kind: 'config', name: '.mcp.json', starts: ['mail starts node'] }
const map = { tools: [], flows: [], total: 0, notes: '' }
const document = { file: 'one.oatf.yaml', text: 'oatf: "0.1"\n', flow: 'a/b > a/c', technique: 'schema' }
const requests: unknown[] = []
const aim: StudioWork['aim'] = {
  inputs: async () => [input],
  map: async (request) => {
    requests.push(request)
    return { ok: true, value: map }
  },
  documents: async (request) => {
    requests.push(request)
    return { ok: true, value: { documents: [document], rejected: ['rug-pull for a/b > a/c: not proven'] } }
  },
}
const path = `attacks/aimed/${document.file}`
const open = async (files = {}) => {
  requests.length = 0
  const studio = await openTestStudio(files, { aim })
  const post = async (route: string, body: object) => {
    const { status, body: text } = await studio.send('POST', `/api/aim/${route}`, undefined, body)
    return { status, value: JSON.parse(text) }
  }
  return { ...studio, post }
}

test('inputs are listed, and mapped with what the page has shown', async () => {
  const { send, post } = await open()
  expect(JSON.parse((await send('GET', '/api/aim')).body)).toEqual([input])
  expect(await post('map', { input })).toEqual({ status: 200, value: map })
  await post('map', { input, labels: { 'a/b': ['source'] } })
  expect(requests).toEqual([{ input }, { input, labels: { 'a/b': ['source'] } }])
})

test.each<[string, object, number]>([
  ['map', {}, 400],
  ['map', { input: { ...input, kind: 'file' } }, 400],
  ['map', { input: { kind: 'config', name: '.mcp.json' } }, 400],
  ['map', { input, labels: ['source'] }, 400],
  ['map', { input, labels: { 'a/b': 'source' } }, 400],
  ['map', { input: { ...input, name: '../other/.mcp.json' } }, 404],
  ['map', { input: { ...input, kind: 'session' } }, 404],
  ['documents', { input }, 400],
  ['documents', { input, max: 0 }, 400],
  ['documents', { input, max: 'auto' }, 400],
  ['documents', { input, max: 3, flows: [1] }, 400],
])('%s refuses %j', async (route, body, status) => {
  const { post } = await open()
  expect(await post(route, body)).toMatchObject({ status, value: { error: expect.any(String) } })
  expect(requests).toEqual([])
})

test('documents are written once, can be taken back, and never replace another text', async () => {
  const { folder, send, post } = await open()
  const written = (state: string) => ({
    status: 200,
    value: { files: [{ path, state }], rejected: ['rug-pull for a/b > a/c: not proven'] },
  })
  expect(await post('documents', { input, max: 3, flows: ['a/b > a/c'] })).toEqual(written('wrote'))
  expect(requests).toEqual([{ input, max: 3, flows: ['a/b > a/c'] }])
  expect(readFileSync(join(folder, path), 'utf8')).toBe(document.text)
  expect(await post('documents', { input, max: 3 })).toEqual(written('same'))
  expect((await send('POST', '/api/undo', undefined, { path })).status).toBe(200)
  const edited = await open({ [path]: 'edited' })
  expect(await edited.post('documents', { input, max: 3 })).toEqual(written('kept'))
  expect(readFileSync(join(edited.folder, path), 'utf8')).toBe('edited')
})

test('documents are not written through a link out of the folder', async () => {
  const { folder, post } = await open()
  mkdirSync(join(folder, '../elsewhere'))
  symlinkSync('../elsewhere', join(folder, 'attacks'))
  expect(await post('documents', { input, max: 3 })).toMatchObject({ status: 400 })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderRegistry, httpRegistry } from '../../src/config/registry.ts'

const metadata = { id: 'clerk', name: 'Clerk', version: '1', description: 'A clerk', namespace: 'org.example' }

function policies(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'joust-policies-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folderRegistry({ folder })
}

describe('a folder', () => {
  test('has a policy per file', async () => {
    const registry = policies({
      'org.cap.yaml': 'limits: { max_llm_calls: 2 }',
      'org.deny.json': '{"deny_tools":["x"]}',
    })
    expect(await registry.resolve('org.cap')).toEqual({ id: 'org.cap', limits: { max_llm_calls: 2 } })
    expect(await registry.resolve('org.deny')).toEqual({ id: 'org.deny', deny_tools: ['x'] })
    expect(await registry.resolve('org.other')).toBeUndefined()
    expect(registry.references?.()).toEqual(['org.cap', 'org.deny'])
  })

  test.each([
    ['a name that no reference has', { 'Org.Cap.yaml': 'applies_to: {}' }, 'Org.Cap.yaml'],
    ['two files with one reference', { 'p.yaml': '{}', 'p.json': '{}' }, 'p.json and p.yaml'],
  ])('%s rejects, because the policy would have no effect', (_, files, message) => {
    expect(() => policies(files).resolve('q')).toThrow(message)
    expect(() => policies(files).implicit?.(metadata)).toThrow(message)
  })

  test('has policies in .yml files, and other files beside them', async () => {
    const registry = policies({ 'p.yml': 'deny_tools: [x]', 'README.md': 'Policies.', '.draft.yaml': '[' })
    expect(await registry.resolve('p')).toEqual({ id: 'p', deny_tools: ['x'] })
  })

  test('never leaves the folder', async () => {
    expect(await policies({}).resolve('../etc/passwd')).toBeUndefined()
  })

  test('a pattern denies a value in its stages', async () => {
    const registry = policies({ 'p.yaml': 'guardrails: [{ name: cards, deny: "[0-9]{4}", stages: [output] }]' })
    const [guardrail] = (await registry.resolve('p'))?.guardrails ?? []
    const check = (value: string) =>
      guardrail?.check({ stage: 'output', agent: [], value }, new AbortController().signal)
    expect(check('card 1234')).toEqual({ allowed: false, reason: 'a denied pattern occurs' })
    expect(check('card')).toEqual({ allowed: true })
    expect(guardrail?.stages).toEqual(['output'])
  })

  test('policies apply by namespace, classification and labels', async () => {
    const registry = policies({
      'a.yaml': 'applies_to: { namespace: org.example }\ndeny_tools: [x]',
      'b.yaml': 'applies_to: { namespace: [org.other, org.example], labels: { team: [red, blue] } }',
      'c.yaml': 'applies_to: { data_classification: confidential }',
      'd.yaml': 'deny_tools: [y]',
    })
    const ids = async (more: object) => (await registry.implicit?.({ ...metadata, ...more }))?.map(({ id }) => id)
    expect(await ids({})).toEqual(['a'])
    expect(await ids({ labels: { team: 'blue' } })).toEqual(['a', 'b'])
    expect(await ids({ data_classification: 'confidential' })).toEqual(['a', 'c'])
  })

  test.each([
    ['broken YAML', 'deny_tools: [', 'p.yaml:1'],
    ['a list', '[1]', 'must be a mapping'],
    [
      'a guardrail with an unknown part',
      'guardrails: [{ name: n, deny: x, stage: [output] }]',
      'unknown field "stage"',
    ],
    ['an invalid pattern', 'guardrails: [{ name: n, deny: "(" }]', 'guardrails[0].deny'],
    ['an unknown stage', 'guardrails: [{ name: n, deny: x, stages: [answer] }]', 'stages must be a list of input'],
  ])('%s rejects', (_, text, message) => {
    expect(() => policies({ 'p.yaml': text }).resolve('p')).toThrow(message)
  })

  test('a selector with a mistake rejects instead of applying to nothing', () => {
    expect(() => policies({ 'p.yaml': 'applies_to: { namspace: x }' }).implicit?.(metadata)).toThrow('"namspace"')
  })

  test('a missing folder rejects', () => {
    expect(() => folderRegistry({ folder: '/nowhere/at/all' }).resolve('p')).toThrow('ENOENT')
    expect(() => folderRegistry({ folder: '/nowhere/at/all' }).implicit?.(metadata)).toThrow('ENOENT')
  })
})

describe('an endpoint', () => {
  async function registry(answer: (url: string) => readonly [number, string], implicit = false) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`)
      const [status, body] = answer(request.url ?? '')
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    // A server on a port has this kind of address.
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/policies/`
    return { asked, provider: httpRegistry({ url, headers: { authorization: 'Bearer k' }, implicit }) }
  }

  test('returns a policy, and nothing for 404', async () => {
    const { asked, provider } = await registry((url) =>
      url.endsWith('/org.cap') ? [200, '{"limits":{"max_llm_calls":2}}'] : [404, 'no'],
    )
    expect(await provider.resolve('org.cap')).toEqual({ id: 'org.cap', limits: { max_llm_calls: 2 } })
    expect(await provider.resolve('org.other')).toBeUndefined()
    expect(asked).toEqual(['Bearer k /policies/org.cap', 'Bearer k /policies/org.other'])
    expect(provider.implicit).toBeUndefined()
  })

  test('is asked for policies that apply by themselves', async () => {
    const { asked, provider } = await registry(() => [200, '[{"id":"all","deny_tools":["x"]}]'], true)
    expect(await provider.implicit?.({ ...metadata, labels: { team: 'red' } })).toEqual([
      { id: 'all', deny_tools: ['x'] },
    ])
    expect(asked).toEqual(['Bearer k /policies?id=clerk&namespace=org.example&label=team%3Dred'])
  })

  test.each([
    ['an error', [500, '{}'], 'status 500'],
    ['a redirect', [302, ''], 'status 302'],
    ['a page', [200, '<html>'], 'invalid JSON'],
    ['too much', [200, `"${'x'.repeat(2 * 1024 * 1024)}"`], 'larger'],
  ] as const)('%s rejects', async (_, answer, message) => {
    const { provider } = await registry(() => answer, true)
    await expect(provider.resolve('p')).rejects.toThrow(message)
    await expect(provider.implicit?.(metadata)).rejects.toThrow(message)
  })

  test('a server that is down rejects', async () => {
    const provider = httpRegistry({ url: 'http://127.0.0.1:9/policies', implicit: false })
    await expect(provider.resolve('p')).rejects.toThrow()
  })
})

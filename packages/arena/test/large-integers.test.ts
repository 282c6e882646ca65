/** 64-bit integers that doubles cannot tell apart go out as they came in: over sockets, in traces and in verdicts. */

import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../io/test/loopback.ts'
import { readTrace, writeTrace } from '../../results/src/files/trace-file.ts'
import { redactEntry, redactingSink } from '../../results/src/redaction/redact.ts'
import { createRedactor, knownShapes } from '../../results/src/redaction/redactor.ts'
import { traceLine, versionLine } from '../../results/src/trace/lines.ts'
import { anyEntry, collect, entry } from '../../results/test/support/entries.ts'
import { readTraceLines } from '../../results/test/support/trace-lines.ts'
import { modelTarget } from '../../targets/src/agent.ts'
import { judge } from '../src/judge/judge.ts'
import type { Target } from '../src/model/target.ts'
import { runAttack } from '../src/run.ts'
import { attackFrom } from './support/attacks.ts'

const LARGE = '9007199254740993'
const NEAR = '9007199254740992'

/** A server whose tool returns the number, and an indicator for a call with the wanted one. */
const server = (wanted: string) => `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools:
        - name: account
          description: looks an account up
          inputSchema: {type: object, properties: {n: {type: integer, maximum: 9223372036854775807}}}
          responses: [{content: {content: [], structuredContent: {n: ${LARGE}, most: 18446744073709551615}}}]
  indicators:
    - {surface: tools/call, direction: request, target: arguments.n, pattern: {condition: ${wanted}}}
    - {surface: tools/call, direction: request, target: "", expression: {cel: "message.arguments.n == ${wanted}"}}
    - {surface: tools/call, direction: request, target: arguments.n, pattern: {regex: "^${wanted}$"}}
`

/** Calls the tool with the number in a hand-written request, and keeps the answers as text. */
function caller(answers: string[]): Target {
  return {
    name: 'caller',
    async start({ servers }) {
      const turn = async () => {
        const body = `{"jsonrpc":"2.0","id":${LARGE},"method":"tools/call","params":{"name":"account","arguments":{"n":${LARGE}}}}`
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
        const answer = await fetch(servers[0]?.address ?? '', { method: 'POST', headers, body })
        answers.push(await answer.text())
      }
      return { endpoints: {}, turn, stop: async () => {} }
    },
  }
}

const quick = { limits: { graceMs: 0 } }

describe('wire 8: 64-bit integers', () => {
  test.each([
    [LARGE, 'exploited', 'matched'],
    [NEAR, 'not_exploited', 'not_matched'],
  ])('wire 8: a pattern on %s is %s; ids, results and traces keep all digits', async (wanted, result, each) => {
    const path = join(mkdtempSync(join(tmpdir(), 'joust-')), 'trace.jsonl')
    const writer = writeTrace(path)
    const answers: string[] = []
    const attack = attackFrom(server(wanted))
    const run = await runAttack(attack, {
      ...quick,
      target: caller(answers),
      trace: redactingSink(writer, knownShapes()),
    })
    await writer.close()
    expect(answers).toHaveLength(1)
    expect(answers[0]).toContain(`"id":${LARGE}`)
    expect(answers[0]).toContain(`"structuredContent":{"n":${LARGE},"most":18446744073709551615}`)
    expect(run.verdict.result).toBe(result)
    expect(run.verdict.indicator_verdicts.map((verdict) => verdict.result)).toEqual([each, each, each])
    if (each === 'matched') expect(run.verdict.indicator_verdicts[0]?.match?.value).toBe(LARGE)
    expect(readFileSync(path, 'utf8')).toContain(`"arguments":{"n":${LARGE}}`)
    expect((await judge(attack, readTrace(path))).result).toBe(result)
  })

  test('wire 8: from an MCP client to an MCP server, and back', async () => {
    const attack = attackFrom(`
oatf: "0.1"
attack:
  execution:
    actors:
      - name: server
        mode: mcp_server
        phases: [{name: a, state: {tools: [{name: t, responses: [{content: {n: ${LARGE}}}]}]}}]
      - name: client
        mode: mcp_client
        phases: [{name: b, state: {actions: [{method: tools/call, params: {name: t, arguments: {n: -${LARGE}}}}]}}]
  indicators:
    - {protocol: mcp, actor: server, surface: tools/call, direction: request, target: arguments.n, pattern: {condition: -${LARGE}}}
    - {protocol: mcp, actor: client, surface: tools/call, direction: response, target: n, pattern: {condition: ${LARGE}}}
`)
    const run = await runAttack(attack, { ...quick, wire: { client: 'server' } })
    expect(run.verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'matched'])
  })

  test('wire 8: from an A2A client to an A2A server, and back', async () => {
    const attack = attackFrom(`
oatf: "0.1"
attack:
  execution:
    actors:
      - name: server
        mode: a2a_server
        phases:
          - name: a
            state:
              task_responses: [{content: {status: {state: completed}, artifacts: [{artifactId: a, parts: [{kind: data, data: {n: ${LARGE}}}]}]}}]
      - name: client
        mode: a2a_client
        phases:
          - name: b
            state:
              actions: [{method: message/send, params: {message: {role: user, parts: [{kind: data, data: {n: -${LARGE}}}]}}}]
  indicators:
    - {protocol: a2a, actor: server, surface: message/send, direction: request, target: "message.parts[*].data.n", pattern: {condition: -${LARGE}}}
    - {protocol: a2a, actor: client, surface: message/send, direction: response, target: "", pattern: {contains: '"n":${LARGE}'}}
`)
    const run = await runAttack(attack, { ...quick, wire: { client: 'server' } })
    expect(run.verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'matched'])
  })

  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  test('wire 8: from an AG-UI client to an agent, and back', async () => {
    const bodies: string[] = []
    const agent = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const event of [
          '{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
          `{"type":"CUSTOM","name":"n","value":${LARGE}}`,
          '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}',
        ])
          response.write(`data: ${event}\n\n`)
        response.end()
      })
    })
    closing.push(() => agent.close())
    const url = `${await listen(agent)}/`
    const attack = attackFrom(`
oatf: "0.1"
attack:
  execution:
    mode: ag_ui_client
    state: {run_agent_input: {messages: [{id: a, role: user, content: hi}], state: {n: ${LARGE}}}}
  indicators:
    - {surface: custom, direction: response, target: value, pattern: {condition: ${LARGE}}}
    - {surface: custom, direction: response, target: value, pattern: {condition: ${NEAR}}}
`)
    const run = await runAttack(attack, { ...quick, connect: { default: { url } } })
    expect(bodies[0]).toContain(`"state":{"n":${LARGE}}`)
    expect(run.verdict.indicator_verdicts.map(({ result }) => result)).toEqual(['matched', 'not_matched'])
  })
})

test.each(['sim/credulous', 'sim/cautious'])(
  'an agent whose libraries know doubles only works all the same: %s',
  async (model) => {
    const prompt = `Call the tool account with n ${LARGE}.`
    const run = await runAttack(attackFrom(server(LARGE)), { ...quick, target: modelTarget({ model, prompt }) })
    expect(run.diagnostics).toEqual([])
    expect(run.verdict.result).not.toBe('error')
  },
)

test('an entry with any content is redacted, written, read and judged', async () => {
  const attack = attackFrom(server(LARGE))
  const redactor = createRedactor({ patterns: ['9{3}'] })
  await fc.assert(
    fc.asyncProperty(anyEntry, async (one) => {
      const told = { ...one, mode: 'mcp_server', protocol: 'mcp', actor: 'default', surface: 'tools/call' }
      const lines = [versionLine(), traceLine(redactor.ok ? redactEntry(told, redactor.value) : told)]
      const items = await collect(readTraceLines(lines))
      expect(items[0]?.ok).toBe(true)
      expect((await judge(attack, items)).indicator_verdicts).toHaveLength(3)
    }),
  )
})

test('a pattern redacts matching digits', () => {
  const redactor = createRedactor({ patterns: ['90071992547409\\d\\d'] })
  const hidden = redactor.ok && redactor.value.value({ a: [BigInt(LARGE), 5], b: 2n ** 60n })
  expect(hidden).toEqual({ a: ['[redacted: pattern]', 5], b: 2n ** 60n })
})

test('a trace with large integers in its own fields is rejected', async () => {
  const line = JSON.stringify({ ...entry(), elapsed_ms: 0 }).replace('"elapsed_ms":0', `"elapsed_ms":${LARGE}`)
  for (const text of [`{"joust_trace":1}\n${line}\n`, `{"joust_trace":${LARGE}}\n`]) {
    const items = []
    for await (const item of readTrace({ text })) items.push(item)
    expect(items[0]).toMatchObject({ ok: false, error: { message: expect.stringContaining(LARGE) } })
  }
})

/** `fmt` of 3 MB, in a process of its own: what it takes of time and memory. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { binary } from '../spawned.ts'
import { folder } from '../world.ts'

const TOOL = (number: number) => `        # tool ${number}
        - name: tool_${number}
          description: "The number ${number} of a great many tools, each with words of its own."
          inputSchema: { type: object, properties: { town: { type: string }, n: { type: integer } }, required: [town] }
          responses: [{ content: { content: [{ type: text, text: 'Sunny in ${number}, and not a cloud' }] } }]
`
const HEAD = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools:
`
const TELL = `process.on('exit', () => console.error(JSON.stringify(process.resourceUsage())))`

test('3 MB are laid out within 300 MB, and in seconds', () => {
  const tools = Array.from({ length: 3_000_000 / TOOL(5000).length }, (_, index) => TOOL(index))
  const cwd = folder({ 'a.yaml': HEAD + tools.join(''), 'tell.mjs': TELL })
  const argv = ['--import', `file://${join(cwd, 'tell.mjs')}`, binary, 'fmt', 'a.yaml']
  const measure = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(2_900_000)
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(stderr)
    return { megabytes: maxRSS / 1024, seconds: (userCPUTime + systemCPUTime) / 1e6 }
  }
  // Where processors are shared the collector comes late and the same work takes longer, so the best of three counts.
  const runs = [measure(), measure(), measure()]
  expect(Math.min(...runs.map(({ megabytes }) => megabytes))).toBeLessThan(300)
  // 1.8 s when the machine does nothing else.
  expect(Math.min(...runs.map(({ seconds }) => seconds))).toBeLessThan(4)
})

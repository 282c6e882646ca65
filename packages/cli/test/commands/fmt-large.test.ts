/** `fmt` on 3 MB, in a process of its own: how much time and memory it takes. */
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
/** On Linux, maxRSS includes the process before it became this program; VmHWM does not. */
const TELL = `import { existsSync, readFileSync } from 'node:fs'
process.on('exit', () => {
  const usage = process.resourceUsage()
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const maxRSS = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? usage.maxRSS)
  console.error(JSON.stringify({ ...usage, maxRSS }))
})`

test('3 MB are laid out within 300 MB, and in seconds', () => {
  const tools = Array.from({ length: 3_000_000 / TOOL(5000).length }, (_, index) => TOOL(index))
  const cwd = folder({ 'a.yaml': HEAD + tools.join(''), 'tell.mjs': TELL })
  const argv = ['--import', `file://${join(cwd, 'tell.mjs')}`, binary, 'fmt', 'a.yaml']
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
  expect(status).toBe(0)
  expect(stdout.length).toBeGreaterThan(2_900_000)
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(stderr)
  // Usually 220 MB.
  expect(maxRSS / 1024).toBeLessThan(300)
  // Below 2 s on an idle machine; where processors are shared the same work takes longer.
  expect((userCPUTime + systemCPUTime) / 1e6).toBeLessThan(4)
})

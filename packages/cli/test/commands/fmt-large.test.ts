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
  const runs = [1, 2, 3].map(() => {
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(2_900_000)
    return JSON.parse(stderr) as NodeJS.ResourceUsage
  })
  const least = (of: (usage: NodeJS.ResourceUsage) => number) => Math.min(...runs.map(of))
  // 220 MB; a collector that comes late lets a run grow beyond what it needs.
  expect(least(({ maxRSS }) => maxRSS) / 1024).toBeLessThan(300)
  // Below 2 s when the machine does nothing else; where processors are shared the same work takes longer.
  expect(least(({ userCPUTime, systemCPUTime }) => userCPUTime + systemCPUTime) / 1e6).toBeLessThan(4)
})

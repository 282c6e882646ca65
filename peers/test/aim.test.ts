/** The inventory of `joust aim` on the tools of AgentDojo: `pip install agentdojo==0.1.35` into `.venv`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { classifySession, type SessionTool } from '@joust/authoring'
import { describe, expect, test } from 'vitest'

const peers = fileURLToPath(new URL('..', import.meta.url))

interface Suite {
  readonly server: string
  readonly tools: readonly SessionTool[]
  /** Tools with an effect that injections call. */
  readonly abused: readonly string[]
  /** Tools whose results have injections. */
  readonly entries: readonly string[]
}

const library = join(peers, '.venv/lib')
const hasDojo =
  existsSync(library) && readdirSync(library).some((name) => existsSync(join(library, name, 'site-packages/agentdojo')))

/** Sinks that repeat what they have changed; a user's task reads the same text before. */
const echoes = ['add_calendar_event_participants', 'delete_file']

describe.skipIf(!hasDojo)('AgentDojo', () => {
  test('every tool that injections abuse is a sink, every tool through which they enter a source', () => {
    const output = execFileSync(join(peers, '.venv/bin/python'), ['servers/dojo-tools.py'], {
      cwd: peers,
      encoding: 'utf8',
    })
    const suites: readonly Suite[] = JSON.parse(output)
    expect(suites.map(({ server }) => server)).toEqual(['workspace', 'travel', 'banking', 'slack'])
    for (const { server, tools, abused, entries } of suites) {
      const labelled = classifySession({ joust_session: 1, servers: [{ name: server, protocol: 'mcp', tools }] })
      const having = (label: string) =>
        labelled.filter(({ labels }) => labels.some((one) => one.label === label)).map(({ tool }) => tool)
      expect(having('sink'), server).toEqual(expect.arrayContaining([...abused]))
      expect(having('source'), server).toEqual(expect.arrayContaining(entries.filter((tool) => !echoes.includes(tool))))
      expect(abused.length * entries.length, server).toBeGreaterThan(0)
    }
  }, 120_000)
})

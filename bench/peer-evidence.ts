/** Judges the messages in ThoughtJack's tests, read from its sources, and compares the verdicts. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { judge } from '@joust/arena'
import { extractProtocol, load, roleOf } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'

interface Example {
  readonly name: string
  readonly document: string
  readonly entries: readonly TraceEntry[]
  readonly expected: string
}

/** The verdicts of both sides on an example. */
export interface Comparison {
  readonly name: string
  readonly document: string
  readonly expected: string
  readonly ours: string
}

/** Judges every message in `scenario_indicators.rs` with its document. */
export async function compareEvidence(tool: string, library: string): Promise<Comparison[]> {
  const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'))
  const found: Comparison[] = []
  for (const { name, document, entries, expected } of examplesIn(tool)) {
    const file = files.find((one) => basename(one).toLowerCase().startsWith(`${document}_`))
    if (file === undefined) throw new Error(`no document ${document} below ${library}`)
    const attack = load(readFileSync(join(library, file), 'utf8'))
    const ours = attack.ok ? (await judge(attack.value, entries)).result : 'invalid'
    found.push({ name, document: basename(file, '.yaml'), expected, ours })
  }
  return found
}

function examplesIn(tool: string): Example[] {
  const source = readFileSync(join(tool, 'tests/integration/scenario_indicators.rs'), 'utf8')
  const tests = source.split('#[test]').slice(1)
  return tests.flatMap((text) => {
    const name = /fn (\w+)\(/.exec(text)?.[1]
    const document = /load_attack\("([\w-]+)"\)/.exec(text)?.[1]
    const message = /trace_entry\(\s*"(\w+)",\s*"[\w-]+",\s*"([\w/]+)",\s*json!\(([\s\S]*?)\),\s*Direction::(\w+)/.exec(
      text,
    )
    const expected = /AttackResult::(\w+)/.exec(text)?.[1]
    if (name === undefined || document === undefined || message === null || expected === undefined) return []
    const [, actor = '', method = '', content = '', direction] = message
    const mode = text.includes('mode: "a2a_server"') ? 'a2a_server' : 'mcp_server'
    const flow = direction === 'Incoming' ? 'in' : 'out'
    const entry: TraceEntry = {
      ...{ seq: 1, at: '2026-01-01T00:00:00Z', elapsed_ms: 0, actor, mode, protocol: extractProtocol(mode) },
      ...{
        phase: 'phase-1',
        direction: (roleOf(mode) === 'server') === (flow === 'in') ? 'request' : 'response',
        flow,
      },
      ...{ surface: method, content: JSON.parse(content) },
    }
    const result = expected.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
    return [{ name, document, entries: [entry], expected: result }]
  })
}

/** Runs ThoughtJack's end-to-end documents and compares the result of each indicator with the expected one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractProtocol, load, roleOf } from '@joust/oatf'
import { isRecord, own, readSource, type Value } from '@joust/source'
import { outcomesOf } from './joust-command.ts'

/** A document with the verdicts of both sides: first for the attack, then for its indicators. */
export interface Fixture {
  readonly name: string
  readonly expected: Readonly<Record<string, string>>
  readonly ours: Readonly<Record<string, string>>
  readonly outcome: string
}

/**
 * Runs each document: AG-UI clients against the credulous model, other clients against the document's own servers.
 */
export function compareFixtures(tool: string): Fixture[] {
  const folder = join(tool, 'tests/e2e/fixtures')
  return readdirSync(folder).map((name) => {
    const file = join(folder, name, 'attack.yaml')
    const [run] = outcomesOf(file, targetFor(readFileSync(file, 'utf8')))
    const verdicts = run?.verdict?.indicator_verdicts ?? []
    return {
      name,
      expected: expectedIn(readFileSync(join(folder, name, 'expected.yaml'), 'utf8')),
      ours: {
        verdict: run?.verdict?.result ?? 'none',
        ...Object.fromEntries(verdicts.map(({ indicator_id, result }) => [indicator_id, result])),
      },
      outcome: run?.outcome ?? 'none',
    }
  })
}

function targetFor(text: string): string[] {
  const attack = load(text)
  if (!attack.ok) return ['--model', 'sim/credulous']
  const { actors } = attack.value.document.attack.execution
  const clients = actors.filter(({ mode }) => roleOf(mode) === 'client')
  if (clients.some(({ mode }) => mode === 'ag_ui_client')) return ['--model', 'sim/credulous']
  return clients.flatMap(({ name, mode }) => {
    const protocol = extractProtocol(mode)
    const server = actors.find((other) => other.mode === `${protocol}_server`)
    return server === undefined ? ['--target', `${protocol}=http://127.0.0.1:9/`] : ['--wire', `${name}=${server.name}`]
  })
}

function expectedIn(text: string): Record<string, string> {
  const source = readSource(text)
  const at = (value: Value | undefined, key: string) => (isRecord(value) ? own(value, key) : undefined)
  const root = source.ok ? source.value.value : undefined
  const indicators = at(root, 'indicators')
  const results = Object.entries(isRecord(indicators) ? indicators : {}).map(([id, value]) => [id, at(value, 'result')])
  return Object.fromEntries(
    [['verdict', at(at(root, 'verdict'), 'result')], ...results].map(([id, result]) => [String(id), String(result)]),
  )
}

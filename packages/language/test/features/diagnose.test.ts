import { expect, test } from 'vitest'
import { attack, languageOver } from '../cursor.ts'

const indicator = (place: number) => `    - id: ACME-001-${place + 500}
      protocol: mcp
      surface: tools/call
      target: argumens.x
      description: number ${place}
      pattern: { regex: "a+b{${place % 9},}" }
`
const more = Array.from({ length: 80 }, (_, place) => indicator(place)).join('')
const long = attack.replace('  indicators:\n', `  indicators:\n${more}`)

test('500 lines are diagnosed within 100 ms', async () => {
  expect(long.split('\n').length).toBeGreaterThan(500)
  const language = languageOver({})
  const rounds: number[] = []
  for (let round = 0; round < 15; round++) {
    const before = process.cpuUsage()
    const text = long.replace('number 7\n', `number 7${round}\n`)
    const findings = await language.diagnose({ name: 'a.oatf.yaml', text })
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / 1000)
    expect(findings.length).toBeGreaterThan(80)
  }
  // Other load on the machine only adds time.
  expect(Math.min(...rounds)).toBeLessThan(100)
})

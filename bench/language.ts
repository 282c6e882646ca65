/**
 * Measures how long findings and completions in an editor take after each typed character in a document of 500 lines.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLanguage } from '@joust/language'
import { measureByTurns } from './measure.ts'

interface LanguageFigures {
  readonly lines: number
  /**
   * Processor seconds from a change to all findings, for a text without findings and for one whose indicators have
   * paths that do not exist.
   */
  readonly diagnose: number
  readonly diagnoseWrong: number
  /** Processor seconds for completions while the text is not valid YAML. */
  readonly complete: number
}

const INDICATORS = 46

/** Types into a long attack repeatedly. */
export async function benchLanguage(seconds: number): Promise<LanguageFigures> {
  const text = longAttack()
  const language = createLanguage()
  const name = 'long.oatf.yaml'
  let typed = 0
  const change = (of: string) => async () => {
    await language.diagnose({ name, text: of.replace('number 5', `number 5${typed++}`) })
  }
  const wrong = text.replaceAll('target: arguments\n', 'target: argumens.x\n')
  const [diagnose, diagnoseWrong] = await measureByTurns(change(text), change(wrong), seconds)
  const broken = text.replace('description: number 5\n', 'tier: "bound\n')
  const offset = broken.indexOf('tier: "bound\n') + 12
  const completeBroken = async () => {
    // The text changes each time, because the last one is cached.
    await language.complete({ name, text: broken.replace('number 7', `number 7${typed++}`) }, offset)
  }
  const [complete] = await measureByTurns(completeBroken, change(text), seconds)
  return { lines: text.split('\n').length, diagnose, diagnoseWrong, complete }
}

function longAttack(): string {
  const attack = readFileSync(
    fileURLToPath(new URL('../../library/tool-description-leaks-prompt.oatf.yaml', import.meta.url)),
    'utf8',
  )
  const more = Array.from(
    { length: INDICATORS },
    (_, index) => `    - id: ${/id: (\S+)/.exec(attack)?.[1]}-${index + 50}
      protocol: mcp
      surface: tools/call
      target: arguments
      description: number ${index}
      tier: boundary_breach
      pattern:
        regex: "a+b{${index % 9},}"
`,
  )
  return attack.replace('  indicators:\n', `  indicators:\n${more.join('')}`)
}

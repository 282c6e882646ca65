import { leavesOf } from '../../exposure/marks.ts'
import { plantedIn } from '../../exposure/planted.ts'
import { mcpServerDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

/** One wrong digit in the escape of a character, such as `\\U000E0041`, ends the hidden text there. */
export const hiddenTextWhole: LintRule = {
  summary: 'Text that is hidden in Unicode tag characters has no character without meaning in between.',
  check({ walk }, report) {
    for (const { at, value } of plantedIn(walk)) {
      const broken = leavesOf(value)
        .texts.filter((text) => TAG.test(text))
        .flatMap((text) => MEANINGLESS.exec(text) ?? [])
      const [character] = broken
      if (character === undefined) continue
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
      report(
        at,
        `the text hidden in tag characters is interrupted by U+${code}, which hides nothing: check its escapes`,
      )
    }
  },
  good: mcpServerDocument(`
    state:
      tools: [{ name: pay, description: "Pays.\\U000E0062\\U000E006F\\U000E0078" }]
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: box-7 }
`),
  mistake: ['\\U000E006F', '\\U0000E06F'],
  path: 'attack.execution.state.tools[0]',
}

const TAG = /[\u{E0020}-\u{E007E}]/u
/** Unassigned, or assigned by private agreement only; a digit of an escape that is left over in the middle. */
const MEANINGLESS = /[\p{Cn}\p{Co}\p{Cs}\0\uFFFD]|(?<=[\u{E0020}-\u{E007E}]{2})[\dA-F](?=[\u{E0020}-\u{E007E}]{2})/u

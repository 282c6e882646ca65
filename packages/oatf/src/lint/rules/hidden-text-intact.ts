import { leavesOf } from '../../exposure/marks.ts'
import { plantedIn } from '../../exposure/planted.ts'
import { callsDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

/** A wrong digit in an escape such as `\\U000E0041` interrupts the hidden text. */
export const hiddenTextIntact: LintRule = {
  summary: 'Text hidden in Unicode tag characters is not interrupted by unassigned or private-use characters.',
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
        `the text hidden in tag characters is interrupted by U+${code}, which is not a tag character; check the escape sequence`,
      )
    }
  },
  good: callsDocument(
    `
      tools: [{ name: pay, description: "Pays.\\U000E0062\\U000E006F\\U000E0078" }]
`,
    'arguments',
    'box-7',
  ),
  mistake: ['\\U000E006F', '\\U0000E06F'],
  path: 'attack.execution.state.tools[0]',
}

const TAG = /[\u{E0020}-\u{E007E}]/u
/** Unassigned and private-use characters, and stray hexadecimal digits from an escape. */
const MEANINGLESS = /[\p{Cn}\p{Co}\p{Cs}\0\uFFFD]|(?<=[\u{E0020}-\u{E007E}]{2})[\dA-F](?=[\u{E0020}-\u{E007E}]{2})/u

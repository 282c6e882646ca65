import { testLint, withState } from '../harness.ts'

const described = (text: string) => withState('mcp_server', `tools: [{ name: pay, description: "Pays.${text}" }]`)
const HIDDEN = '\\U000E0062\\U000E006F'

testLint('L-032', {
  valid: [
    described(HIDDEN),
    described(`${HIDDEN} and more`),
    // Without hidden text, an icon of a private font.
    described('\\uE002'),
  ],
  invalid: [
    [described(`${HIDDEN}\\U0000E0078`), 'attack.execution.state.tools[0]'],
    [described(`${HIDDEN}\\U000E00022`), 'attack.execution.state.tools[0]'],
    [described(`\\U000EE006C${HIDDEN}`), 'attack.execution.state.tools[0]'],
    [described(`${HIDDEN}C${HIDDEN}`), 'attack.execution.state.tools[0]'],
    [described(`${HIDDEN}\\000E006C${HIDDEN}`), 'attack.execution.state.tools[0]'],
  ],
  messages: ['is interrupted by U+E007, which is not a tag character', 'U+E0002', 'U+EE006', 'U+0043', 'U+0000'],
})

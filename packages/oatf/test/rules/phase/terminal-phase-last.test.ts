import { testRule } from '../harness.ts'

const list = (kinds: string) => `[${[...kinds].map((kind) => (kind === 't' ? '{ trigger: {} }' : '{}')).join(', ')}]`
/** `t` is a phase with a trigger, `-` one without. */
const phases = (kinds: string) => `attack: { execution: { phases: ${list(kinds)} } }`
const actors = (...kinds: string[]) =>
  `attack: { execution: { actors: [${kinds.map((each) => `{ phases: ${list(each)} }`).join(', ')}] } }`

testRule('V-008', {
  valid: [
    phases(''),
    phases('-'),
    phases('t'),
    phases('tt-'),
    actors('t-', '-', 'tt'),
    'attack: { execution: { state: {} } }',
  ],
  invalid: [
    [phases('-t'), 'attack.execution.phases[0]'],
    [phases('t--'), 'attack.execution.phases'],
    [phases('-t-'), 'attack.execution.phases', 'attack.execution.phases[0]'],
    [actors('t-', '-tt', '--'), 'attack.execution.actors[1].phases[0]', 'attack.execution.actors[2].phases'],
  ],
  message: 'a phase without a "trigger" never ends',
})

import { testLint, withState } from '../harness.ts'

const task = (lines: string) => withState('mcp_server', 'tools: []', `x-joust-task: ${lines}`)
const indicator = '{ target: name, pattern: { contains: a } }'

testLint('L-011', {
  valid: [
    withState('mcp_server', 'tools: []'),
    withState('mcp_server', 'tools: []', 'x-other-task: 1'),
    task(`{ indicators: [${indicator}] }`),
    task(`{ indicators: [${indicator}, ${indicator}], correlation: { logic: all } }`),
  ],
  invalid: [
    [task('[]'), 'attack.x-joust-task'],
    [task('done'), 'attack.x-joust-task'],
    [task('{}'), 'attack.x-joust-task.indicators'],
    [task('{ indicators: [] }'), 'attack.x-joust-task.indicators'],
    [task('{ indicators: {} }'), 'attack.x-joust-task.indicators'],
    [task('{ indicators: [1] }'), 'attack.x-joust-task.indicators[0]'],
    [task(`{ indicator: [${indicator}] }`), 'attack.x-joust-task.indicators', 'attack.x-joust-task.indicator'],
    [task(`{ indicators: [${indicator}], prompt: x }`), 'attack.x-joust-task.prompt'],
  ],
  messages: [
    'expected a mapping, got a list',
    'expected a mapping, got',
    'the field "indicators" is required',
    'expected at least one indicator',
    'expected a list',
    'expected a mapping',
    'the field "indicators" is required',
    'unknown field "prompt"',
  ],
})

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
    [task('{}'), 'attack.x-joust-task'],
    [task('{ indicators: [] }'), 'attack.x-joust-task.indicators'],
    [task('{ indicators: {} }'), 'attack.x-joust-task.indicators'],
    [task('{ indicators: [1] }'), 'attack.x-joust-task.indicators[0]'],
    [task(`{ indicator: [${indicator}] }`), 'attack.x-joust-task', 'attack.x-joust-task.indicator'],
    [task(`{ indicators: [${indicator}], prompt: x }`), 'attack.x-joust-task.prompt'],
  ],
  messages: [
    'a task is a mapping with "indicators", this is',
    'a task is a mapping',
    'a task needs "indicators"',
    'expected at least one indicator',
    'expected a list',
    'an indicator is a mapping',
    'a task needs "indicators"',
    'a task has no field "prompt"',
  ],
})

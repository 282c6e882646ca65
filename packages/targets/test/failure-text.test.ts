import { expect, test } from 'vitest'
import { failureText, outputText } from '../src/failure-text.ts'
import { targetLimits } from '../src/limits.ts'

const FAILURE = 'the command exited with code 1'

const python = `starting
Traceback (most recent call last):
  File "/app/agent.py", line 6, in <module>
    main()
  File "/app/agent.py", line 3, in inner
    raise ValueError("no key")
ValueError: no key
set OPENAI_API_KEY`

const chained = `Traceback (most recent call last):
  File "/app/agent.py", line 2, in <module>
KeyError: 'model'

During handling of the above exception, another exception occurred:

${python}`

const node = `file:///app/agent.mjs:1
throw new TypeError('no model')
^

TypeError: no model
in the settings
    at deep (file:///app/agent.mjs:1:7)
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)

Node.js v20.20.2
`

test.each([
  ['Python', python, `ValueError: no key; ${FAILURE}`],
  ['Python, chained', chained, `ValueError: no key; ${FAILURE}`],
  ['Node.js', node, `TypeError: no model; ${FAILURE}`],
  ['another program', 'thinking\nout of credit\n', `${FAILURE}: out of credit`],
])('the exception is the first line, and each line of the output follows once: %s', (_, output, head) => {
  const [first, ...block] = failureText(FAILURE, output).split('\n')
  expect(first).toBe(head)
  expect(block).toEqual(output.split('\n').filter((line) => line !== ''))
})

test.each([
  ['', `${FAILURE}; no output`],
  ['out of credit\n', `${FAILURE}: out of credit`],
  ['    at nowhere (x.js:1:1)', `${FAILURE}:     at nowhere (x.js:1:1)`.replace(':     at', ': at')],
])('output %j needs no block', (output, text) => expect(failureText(FAILURE, output)).toBe(text))

test('a failure with its own traceback does not repeat the output', () => {
  const failure = 'mine answered with an error: Error: no key (agent.mjs:1:7)\n    at agent (agent.mjs:1:7)'
  expect(failureText(failure, 'debug\nlines')).toBe(failure)
})

test('long output keeps its first and last lines, cut between lines', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`)
  const text = failureText(FAILURE, lines.join('\n')).split('\n').slice(1)
  expect(text).toHaveLength(targetLimits.failureLines)
  expect([text[0], text[12], text.at(-1)]).toEqual(['line 0', '… 77 lines …', 'line 99'])
  expect(failureText(FAILURE, 'x'.repeat(10_000)).length).toBeLessThan(1000)
})

test.each([
  ['I did it\n', 'output: I did it'],
  ['one\ntwo', 'output:\none\ntwo'],
])('output in a message: %j', (output, text) => expect(outputText(output)).toBe(text))

test('colours are removed from failures and outputs', () => {
  const red = (text: string) => `\u001b[1;31m${text}\u001b[0m`
  expect(failureText(`${red('no key')}\n  at ${red('main')}`, '')).toBe('no key\n  at main')
  expect(outputText(red('no key'))).toBe('output: no key')
})

import type { ApprovalRequest } from '@joust/runtime'
import { expect, test } from 'vitest'
import { approverFor } from '../../src/agent/approver.ts'
import type { Io } from '../../src/terminal/io.ts'
import { memoryIo } from '../world.ts'

const request: ApprovalRequest = {
  kind: 'tool',
  run: 'run-1',
  agent: { id: 'helper', name: 'Helper', path: ['mailer'] },
  target: 'send_mail',
  args: { to: 'ann@example.org' },
  message: 'Helper wants to call send_mail',
  reasons: ['the document requires approval'],
}
const signal = new AbortController().signal

async function approver(mode: string, ask?: Io['ask']) {
  const { io, stderr } = memoryIo(ask === undefined ? {} : { ask })
  const approve = await approverFor(mode, io)
  return { approve: approve.ok ? approve.value : undefined, said: () => stderr.join('') }
}

test('all and none decide without asking', async () => {
  const ask = () => Promise.reject(new Error('was asked'))
  expect(await (await approver('all', ask)).approve?.(request, signal)).toMatchObject({ approved: true })
  expect(await (await approver('none', ask)).approve?.(request, signal)).toMatchObject({ approved: false })
})

test('a question without an answer in time is denied, and the next one is asked', async () => {
  const answers = [new Promise<string>(() => {}), Promise.resolve('y')]
  const { io } = memoryIo({ ask: () => answers.shift() ?? Promise.resolve('') })
  const approve = await approverFor('ask', io, 50)
  const ask = async () => (approve.ok ? approve.value?.(request, signal) : undefined)
  const [first, second] = await Promise.allSettled([ask(), ask()])
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'no answer within 0.05 seconds' } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { approved: true } })
})

test('without a terminal, no approval can be asked for', async () => {
  expect((await approver('ask')).approve).toBeUndefined()
})

test.each([
  ['y', true],
  [' YES ', true],
  ['n', false],
  ['', false],
  ['yes please', false],
  ['yy', false],
])('%j is %s', async (answer, approved) => {
  expect(await (await approver('ask', async () => answer)).approve?.(request, signal)).toMatchObject({ approved })
})

test('the question shows who, what, the message, the raw arguments and why', async () => {
  const questions: string[] = []
  const { approve, said } = await approver('ask', async (question) => {
    questions.push(question)
    return 'y'
  })
  await approve?.(request, signal)
  expect(questions).toEqual(['Approve send_mail? [y/N] '])
  expect(said()).toBe(`
Helper / mailer requests approval: tool send_mail
  | Helper wants to call send_mail
with these arguments:
  | {
  |   "to": "ann@example.org"
  | }
why: the document requires approval
`)
})

test('untrusted text cannot control the terminal or imitate our lines, and truncation is marked', async () => {
  const { approve, said } = await approver('ask', async () => '')
  const message = 'harmless\u001b[2J\nApprove send_mail? [y/N] y\r\u202ethe end'
  await approve?.({ ...request, message, args: { a: '\u009b31m', b: 'x'.repeat(20_000) } }, signal)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(said()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(said()).toContain('  | Approve send_mail? [y/N] y\n')
  expect(said()).toMatch(/ {2}\| … and \d+ more characters\n/)
})

test('questions of agents side by side come one after the other', async () => {
  const open: ((answer: string) => void)[] = []
  const { approve } = await approver('ask', () => new Promise((resolve) => open.push(resolve)))
  const first = approve?.(request, signal)
  const second = approve?.(request, signal)
  await new Promise((resolve) => setImmediate(resolve))
  expect(open).toHaveLength(1)
  open[0]?.('n')
  expect(await first).toMatchObject({ approved: false })
  await new Promise((resolve) => setImmediate(resolve))
  open[1]?.('y')
  expect(await second).toMatchObject({ approved: true })
})

test('a run that was cancelled asks no more, and the next one can ask', async () => {
  let asked = 0
  const { approve } = await approver('ask', async () => {
    asked += 1
    return 'y'
  })
  await expect(approve?.(request, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  expect(asked).toBe(0)
  expect(await approve?.(request, signal)).toMatchObject({ approved: true })
})

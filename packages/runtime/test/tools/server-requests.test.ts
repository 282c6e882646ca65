import { type Script, scriptedModel } from '@joust/sim'
import type { ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../../src/model/approval.ts'
import type { GuardrailSubject } from '../../src/model/governance.ts'
import type { LanguageModel } from '../../src/model/language-model.ts'
import { answerElicitation, answerSampling } from '../../src/tools/server-requests.ts'
import { testContext } from '../support/context.ts'
import { react } from '../support/react.ts'

const { signal } = new AbortController()
const params: ValueRecord = {
  systemPrompt: 'Be brief.',
  maxTokens: 50,
  messages: [
    { role: 'user', content: { type: 'text', text: 'What is the key?' } },
    { role: 'assistant', content: [{ type: 'text', text: 'Which key?' }] },
    { role: 'user', content: { type: 'image', data: '', mimeType: 'image/png' } },
  ],
}

describe('sampling', () => {
  const answering: Script = [{ text: 'It is 42.', usage: { input_tokens: 7, output_tokens: 3 } }]
  const setting = (approved: boolean | undefined, limits = {}, script: Script = answering) => {
    const asked: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest) => {
      asked.push(request)
      return { approved: approved === true }
    }
    const parts = {
      agent: react('m'),
      options: approved === undefined ? {} : { approve },
      model: scriptedModel(script),
      limits,
    }
    return { ...testContext(parts), asked }
  }

  it("is answered by the agent's own model after approval, within the limits", async () => {
    const { context, asked, told } = setting(true)
    expect(await answerSampling(params, 'files', context, signal)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'It is 42.' },
      stopReason: 'endTurn',
    })
    expect(asked).toMatchObject([{ kind: 'sampling', target: 'files', args: params }])
    expect(context.budget.usage).toMatchObject({ modelCalls: 1, totalTokens: 10 })
    expect(told.map(({ type }) => type)).toEqual([
      'approval-asked',
      'approval-answered',
      'model-called',
      'model-answered',
    ])
  })

  it.each([
    ['length', 'maxTokens'],
    ['content-filter', 'content-filter'],
  ] as const)('tells the server of an answer that ended by %s', async (unified, stopReason) => {
    const { context } = setting(true)
    const { model } = context
    const doGenerate: LanguageModel['doGenerate'] = async (call) => ({
      ...(await scriptedModel(answering).doGenerate(call)),
      finishReason: { unified, raw: unified },
    })
    const cut = { ...context, ...(model && { model: { ...model, doGenerate } }) }
    expect(await answerSampling(params, 'files', cut, signal)).toMatchObject({ stopReason })
  })

  it('is declined if no approver is configured', async () => {
    const { context, told } = setting(undefined)
    expect(await answerSampling(params, 'files', context, signal)).toBeUndefined()
    expect(told).toEqual([])
  })

  it('is rejected if it is denied or a limit is reached', async () => {
    const denied = setting(false)
    await expect(answerSampling(params, 'files', denied.context, signal)).rejects.toMatchObject({
      error: { code: 'approval_denied' },
    })
    const limited = setting(true, { max_llm_calls: 0 })
    await expect(answerSampling(params, 'files', limited.context, signal)).rejects.toMatchObject({
      error: { code: 'limit_exceeded' },
    })
    // No approval was requested for a call that could not start.
    expect(limited.asked).toEqual([])
  })

  it('is retried and emits events like any model call', async () => {
    const busy = { error: { message: 'busy', status: 503 } }
    const { context, told, time } = setting(true, {}, [busy, { text: 'It is 42.' }])
    const setTimer = (milliseconds: number, callback: () => void) => {
      if (milliseconds < 10_000) queueMicrotask(() => time.advance(milliseconds))
      return time.setTimer(milliseconds, callback)
    }
    const answer = answerSampling(params, 'files', { ...context, clock: { ...context.clock, setTimer } }, signal)
    expect(await answer).toMatchObject({ content: { text: 'It is 42.' } })
    expect(told.filter(({ type }) => type.startsWith('model-'))).toMatchObject([
      { type: 'model-called', model: 'sim/scripted', attempt: 1 },
      { type: 'model-failed', attempt: 1, reason: 'busy (status 503)' },
      { type: 'model-called', attempt: 2 },
      { type: 'model-answered', model: 'sim/scripted' },
    ])
    expect(told.some((event) => 'step' in event)).toBe(false)
    expect(time.waiting()).toBe(0)
  })

  it('ends with the model timeout and with the request of the server', async () => {
    const stuck = setting(true, {}, [])
    const model = { ...scriptedModel([]), doGenerate: () => new Promise<never>(() => {}) }
    const request = new AbortController()
    const waiting = answerSampling(params, 'files', { ...stuck.context, model }, request.signal)
    await new Promise((resolve) => setImmediate(resolve))
    stuck.time.advance(300_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(stuck.told.at(-1)).toMatchObject({ type: 'model-failed', reason: 'no answer within 300 seconds' })
    request.abort()
    await expect(waiting).rejects.toMatchObject({ error: { code: 'cancelled' } })
  })

  it.each([
    ['what the server says', 'key?'],
    ['what the model says', '42'],
  ])('is checked by guardrails: %s', async (_, word) => {
    const check = ({ value }: GuardrailSubject) => ({ allowed: !JSON.stringify(value).includes(word) })
    const { context } = setting(true)
    const governance = { policies: [{ id: 'p', guardrails: [{ name: 'g', check }] }] }
    await expect(answerSampling(params, 'files', { ...context, governance }, signal)).rejects.toMatchObject({
      error: { code: 'guardrail_denied' },
    })
  })

  it('names the policies that require approval', async () => {
    const { context, asked } = setting(true)
    const governance = { policies: [{ id: 'p', approvals: [{ kinds: ['sampling' as const] }] }] }
    await answerSampling(params, 'files', { ...context, governance }, signal)
    expect(asked[0]?.reasons).toEqual([
      'server files requests a model completion',
      'policy p: approval is always required',
    ])
  })

  it('uses the handler of the host', async () => {
    const onSampling = () => ({ role: 'assistant', content: { type: 'text', text: 'by the host' }, model: 'host' })
    const { context } = testContext({ options: { onSampling } })
    expect(await answerSampling(params, 'files', context, signal)).toMatchObject({ model: 'host' })
  })
})

describe('elicitation', () => {
  it('is declined without a handler of the host', async () => {
    expect(await answerElicitation({ message: 'Password?' }, 'files', testContext().context, signal)).toBeUndefined()
    const onElicitation = (_: unknown, { server }: { server: string }) => ({ action: 'accept', content: { server } })
    const { context } = testContext({ options: { onElicitation } })
    expect(await answerElicitation({ message: 'Name?' }, 'files', context, signal)).toEqual({
      action: 'accept',
      content: { server: 'files' },
    })
  })
})

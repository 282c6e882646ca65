import type { ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../../src/model/approval.ts'
import { scriptedModel } from '../../src/models/sim/scripted.ts'
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
  const setting = (approved: boolean | undefined, limits = {}) => {
    const asked: ApprovalRequest[] = []
    const approve = (request: ApprovalRequest) => {
      asked.push(request)
      return { approved: approved === true }
    }
    const model = scriptedModel([{ text: 'It is 42.', usage: { input_tokens: 7, output_tokens: 3 } }])
    const parts = {
      agent: react('m'),
      options: approved === undefined ? {} : { approve },
      model: async () => model,
      limits,
    }
    return { ...testContext(parts), asked }
  }

  it("is answered by the agent's own model once a person agrees, within the limits", async () => {
    const { context, asked, told } = setting(true)
    expect(await answerSampling(params, 'files', context, signal)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'It is 42.' },
      stopReason: 'endTurn',
    })
    expect(asked).toMatchObject([{ kind: 'sampling', target: 'files', args: params }])
    expect(context.ledger.usage).toMatchObject({ modelCalls: 1, totalTokens: 10 })
    expect(told.map(({ type }) => type)).toEqual([
      'approval-asked',
      'approval-answered',
      'model-called',
      'model-answered',
    ])
  })

  it('is declined when there is nobody to ask', async () => {
    const { context, told } = setting(undefined)
    expect(await answerSampling(params, 'files', context, signal)).toBeUndefined()
    expect(told).toEqual([])
  })

  it('is refused when the person says no, or a limit is reached', async () => {
    const denied = setting(false)
    await expect(answerSampling(params, 'files', denied.context, signal)).rejects.toMatchObject({
      error: { code: 'approval_denied' },
    })
    const limited = setting(true, { max_llm_calls: 0 })
    await expect(answerSampling(params, 'files', limited.context, signal)).rejects.toMatchObject({
      error: { code: 'limit_exceeded' },
    })
  })

  it('goes to the host when the host wants it', async () => {
    const onSampling = () => ({ role: 'assistant', content: { type: 'text', text: 'by the host' }, model: 'host' })
    const { context } = testContext({ options: { onSampling } })
    expect(await answerSampling(params, 'files', context, signal)).toMatchObject({ model: 'host' })
  })
})

describe('elicitation', () => {
  it('is declined unless the host answers', async () => {
    expect(await answerElicitation({ message: 'Password?' }, 'files', testContext().context, signal)).toBeUndefined()
    const onElicitation = (_: unknown, { server }: { server: string }) => ({ action: 'accept', content: { server } })
    const { context } = testContext({ options: { onElicitation } })
    expect(await answerElicitation({ message: 'Name?' }, 'files', context, signal)).toEqual({
      action: 'accept',
      content: { server: 'files' },
    })
  })
})

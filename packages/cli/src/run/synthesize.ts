/** `--attacker`: a model that writes the messages for `synthesize` before anything is run. */

import { ok, type Result } from '@joust/source'
import type { BudgetLimits } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { isAsked, openModel } from '../target/models.ts'
import { planRecordings } from '../target/recordings.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { Selection } from './attacks.ts'
import { readRedactor } from './redaction.ts'

interface Synthesized {
  readonly attacks: Selection['attacks']
  readonly spent: { readonly tokens: number; readonly calls: number }
}

/** Lets the model write the messages. Failures are reported; a document with a failure never yields `resisted`. */
export async function synthesize(
  attacks: Selection['attacks'],
  options: RunOptions,
  under: string,
  io: Io,
): Promise<Result<Synthesized, string>> {
  const { attacker, dryRun } = options
  const spent = { tokens: 0, calls: 0 }
  if (attacker === undefined || dryRun) return ok({ attacks, spent })
  const { synthesisRequests } = await import('@joust/oatf')
  if (attacks.every(({ attack }) => synthesisRequests(attack).requests.length === 0)) return ok({ attacks, spent })
  const redactor = readRedactor(options.redact, false)
  if (!redactor.ok) return redactor
  const recordings = planRecordings(options, under, redactor.value, io)
  if (!recordings.ok) return recordings
  const model = await openModel('--attacker', attacker, recordings.value?.attacker, isAsked(options), io)
  if (!model.ok) return model
  const { modelSynthesizer } = await import('@joust/adaptive')
  const writer = modelSynthesizer(model.value.bound, {
    signal: new AbortController().signal,
    onCall({ inputTokens, outputTokens }) {
      spent.calls += 1
      spent.tokens += inputTokens + outputTokens
    },
    exhausted: () => exhaustedBy(spent, options),
  })
  const results: Selection['attacks'][number][] = []
  for (const { file, attack } of attacks) {
    const written = await writer.write(attack)
    results.push({ file, attack: written.attack })
    for (const fault of written.faults) tell(io, `${file}: not written: ${fault}`)
  }
  model.value.close()
  return ok({ attacks: results, spent })
}

function exhaustedBy(spent: Synthesized['spent'], { budgetTokens, budgetCalls }: RunOptions): string | undefined {
  const over = (budgetTokens ?? Infinity) <= spent.tokens || (budgetCalls ?? Infinity) <= spent.calls
  return over ? 'the budget is used up' : undefined
}

export function leftOf(budget: BudgetLimits, { tokens, calls }: Synthesized['spent']): BudgetLimits {
  return {
    ...budget,
    ...(budget.tokens !== undefined && { tokens: Math.max(0, budget.tokens - tokens) }),
    ...(budget.calls !== undefined && { calls: Math.max(0, budget.calls - calls) }),
  }
}

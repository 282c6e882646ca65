/** What the models of a target took, and what that costs. */
import type { TargetResults } from '@joust/arena'
import type { Price } from '../options/price.ts'
import { count } from './count.ts'

/** `model: 132 calls, 48,210 tokens in, 9,120 out, $0.15`; nothing where no model of ours was asked. */
export function usageLines({ attacks, kind, name, details }: TargetResults, price: Price | undefined): string[] {
  const total = { calls: 0, input: 0, output: 0 }
  for (const { usage } of attacks.flatMap(({ trials }) => trials)) {
    total.calls += usage?.calls ?? 0
    total.input += usage?.input_tokens ?? 0
    total.output += usage?.output_tokens ?? 0
  }
  if (total.calls === 0) return []
  const tokens = `model: ${count(total.calls, 'call')}, ${number(total.input)} tokens in, ${number(total.output)} out`
  if (price !== undefined)
    return [`${tokens}, ${dollars((total.input * price.input + total.output * price.output) / 1e6)}`]
  const model = details?.model ?? (kind === 'model' ? name : 'sim/')
  return [model.startsWith('sim/') ? tokens : `${tokens}; --price IN,OUT tells what they cost`]
}

function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? 'less than $0.01' : `$${amount.toFixed(2)}`
}

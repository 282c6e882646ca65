/** What the models of a target took, and what that costs. */
import { type TargetResults, usageOf } from '@joust/arena'
import type { Price } from '../options/price.ts'
import { count } from './count.ts'

/** `model: 132 calls, 48,210 tokens in, 9,120 out, $0.15`; nothing where no model of ours was asked. */
export function usageLines(target: TargetResults, price: Price | undefined): string[] {
  const usage = usageOf(target)
  if (usage === undefined) return []
  const { kind, name, details } = target
  const { calls, input_tokens: input, output_tokens: output } = usage
  const tokens = `model: ${count(calls, 'call')}, ${number(input)} tokens in, ${number(output)} out`
  if (price !== undefined) return [`${tokens}, ${dollars((input * price.input + output * price.output) / 1e6)}`]
  const model = details?.model ?? (kind === 'model' ? name : 'sim/')
  return [model.startsWith('sim/') ? tokens : `${tokens}; --price IN,OUT tells what they cost`]
}

function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? 'less than $0.01' : `$${amount.toFixed(2)}`
}

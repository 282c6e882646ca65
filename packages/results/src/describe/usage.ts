import { count } from '@joust/source'
import type { Price, Trial } from '../model/results.ts'

type Usage = NonNullable<Trial['usage']>

/** Returns the cost of model usage in US dollars. */
export function costIn({ input, output }: Price, { input_tokens, output_tokens }: Usage): number {
  return (input_tokens * input + output_tokens * output) / 1e6
}

/** Formats model usage: `132 calls, 48,210 tokens in, 9,120 out, $0.15`. */
export function usageText(usage: Usage, price?: Price): string {
  const { calls, input_tokens, output_tokens } = usage
  const tokens = `${count(calls, 'call')}, ${grouped(input_tokens)} tokens in, ${grouped(output_tokens)} out`
  return price === undefined ? tokens : `${tokens}, ${dollarText(costIn(price, usage))}`
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Formats a cost: `$0.15`. */
export function dollarText(amount: number): string {
  return amount > 0 && amount < 0.01 ? 'less than $0.01' : `$${amount.toFixed(2)}`
}

/** Computes the cost of agent runs from model prices. */
import { costIn, dollarText } from '@joust/results'
import type { EventListener, ModelPrice } from '@joust/runtime'
import { own, type ValueRecord } from '@joust/source'

interface CostMeter {
  readonly onEvent: EventListener
  /** The cost in dollars; undefined if no called model has a price. */
  cost(): number | undefined
  /** Returns a line such as `cost: $0.15`, followed by the models that have no price. */
  text(): string | undefined
}

/** Creates a cost meter. The keys of `prices` are model names as in events. */
export function createCostMeter(prices: Readonly<Record<string, ModelPrice>>): CostMeter {
  let total: number | undefined
  const unpriced = new Set<string>()
  const cost = () => total
  return {
    onEvent(event) {
      if (event.type !== 'model-answered') return
      // The provider may be followed by a dot and an API: openai.responses/gpt-5.
      const names = [event.model, event.model.replace(/^([^/.]*)\.[^/]*\//, '$1/')]
      // Prices are plain data.
      const name = names.find((one) => own(prices as unknown as ValueRecord, one) !== undefined)
      const price = name === undefined ? undefined : prices[name]
      const { inputTokens: input_tokens, outputTokens: output_tokens } = event.usage
      if (price === undefined) unpriced.add(names[1] ?? event.model)
      else total = (total ?? 0) + costIn(price, { calls: 1, input_tokens, output_tokens })
    },
    cost,
    text() {
      if (total === undefined) return undefined
      const rest = unpriced.size === 0 ? '' : `, excluding ${[...unpriced].join(', ')} (no known price)`
      return `cost: ${dollarText(total)}${rest}`
    },
  }
}

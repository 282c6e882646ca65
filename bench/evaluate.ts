/** Evaluates indicators on messages, compiled once or for each message. */
import { compileIndicator, createCelEvaluator, evaluateIndicator, type Indicator, type Value } from '@joust/oatf'
import { measure } from './measure.ts'

interface EvaluateFigures {
  readonly messages: number
  readonly matched: number
  readonly seconds: number
}

/** Evaluates every indicator on every message, compiling each indicator once. */
export function benchCompiled(
  indicators: readonly Indicator[],
  messages: readonly Value[],
  seconds: number,
): EvaluateFigures {
  const cel = createCelEvaluator()
  let matched = 0
  const each = measure(() => {
    const programs = indicators.map((indicator) => compileIndicator(indicator, { cel }))
    matched = 0
    for (const message of messages) for (const run of programs) if (run(message).result === 'matched') matched++
  }, seconds)
  return { messages: messages.length, matched, seconds: each }
}

/** Evaluates every indicator on every message, compiling it each time. */
export function benchInterpreted(
  indicators: readonly Indicator[],
  messages: readonly Value[],
  seconds: number,
): EvaluateFigures {
  const cel = createCelEvaluator()
  let matched = 0
  const each = measure(() => {
    matched = 0
    for (const message of messages) {
      for (const indicator of indicators)
        if (evaluateIndicator(indicator, message, { cel }).result === 'matched') matched++
    }
  }, seconds)
  return { messages: messages.length, matched, seconds: each }
}

/** `sim/attacker`: tries the offered mutations one by one, then in pairs. */
import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { isRecord, own, ownList, ownText, readSource, type Value } from '@joust/source'
import { messageText } from '../prompt/plain-text.ts'
import { simulate } from './simulation.ts'

/** A model that answers the questions of a search, deterministically. */
export function attackerModel(): LanguageModel {
  return simulate('attacker', ({ prompt }) => {
    const last = prompt.findLast(({ role }) => role === 'user')
    const request = last === undefined ? undefined : readSource(messageText(last))
    const question = request?.ok === true ? request.value.value : undefined
    if (!isRecord(question)) return { text: '[the simulated attacker answers questions of a search]' }
    const synthesis = own(question, 'synthesize')
    return { text: synthesis === undefined ? JSON.stringify({ proposals: nextMoves(question) }) : String(synthesis) }
  })
}

function nextMoves(question: Value): { readonly by: readonly string[] }[] {
  const moves = ownList(question, 'moves').flatMap((move) => ownText(move, 'name') ?? [])
  const base = textsIn(ownList(question, 'base'))
  const tried = new Set(ownList(question, 'tried').map((one) => keyOf(textsIn(ownList(one, 'by')))))
  const count = own(question, 'count')
  const pairs = moves.flatMap((first) => moves.flatMap((second) => (first === second ? [] : [[first, second]])))
  const fresh = [...moves.map((move) => [move]), ...pairs].filter((by) => !tried.has(keyOf([...base, ...by])))
  return fresh.slice(0, typeof count === 'number' ? count : 1).map((by) => ({ by }))
}

function keyOf(names: readonly string[]): string {
  return names.join('+')
}

function textsIn(values: readonly Value[]): string[] {
  return values.filter((value) => typeof value === 'string')
}

/** Reads what an attacker's model answers. */
import { err, isList, isRecord, ok, own, type Result, readSource, type Value } from '@joust/source'
import type { Proposal } from '../search/attacker.ts'

/** The proposals that can be made out; an answer without any is a fault. */
export function readProposals(answer: string): Result<Proposal[], string> {
  const start = answer.indexOf('{')
  const end = answer.lastIndexOf('}')
  const read = start < 0 || end < start ? undefined : readSource(answer.slice(start, end + 1))
  const value = read?.ok === true ? read.value.value : undefined
  const list = isRecord(value) ? own(value, 'proposals') : undefined
  if (!isList(list)) return err('the attacker did not answer with a JSON object that has "proposals"')
  return ok(list.flatMap(proposalIn))
}

function proposalIn(value: Value): Proposal[] {
  if (!isRecord(value)) return []
  const by = own(value, 'by')
  if (isList(by)) return [{ by: by.filter((name) => typeof name === 'string') }]
  const texts = own(value, 'texts')
  if (!isRecord(texts)) return []
  return [
    {
      texts: Object.fromEntries(
        Object.entries(texts).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text]] : [])),
      ),
    },
  ]
}

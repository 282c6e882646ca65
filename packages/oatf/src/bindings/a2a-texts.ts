import { isRecord, own, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'

/** The key of these texts in indicators; never sent. */
export const TEXTS = '_texts'

/** The texts of a response, a streamed item or a list of tasks: each part, and the joined parts of each item. */
export function a2aTexts(content: Value): readonly string[] {
  if (!isRecord(content)) return []
  const status = own(content, 'status')
  const replies = ownList(content, 'history').filter((one) => isRecord(one) && own(one, 'role') === 'agent')
  const holders = [
    content,
    own(content, 'artifact'),
    ...ownList(content, 'artifacts'),
    own(status, 'message'),
    ...replies,
  ]
  const texts = holders.flatMap((holder) => wholeAndParts(partTexts(holder)))
  return [...new Set([...texts, ...ownList(content, 'tasks').flatMap(a2aTexts)])]
}

/** The texts of message or artifact parts, in order; data as JSON. */
export function partTexts(holder: Value | undefined): readonly string[] {
  return ownList(holder, 'parts').flatMap((part) => (isRecord(part) ? textOfPart(part) : []))
}

function textOfPart(part: ValueRecord): string[] {
  const text = ownText(part, 'text')
  if (text !== undefined) return [text]
  const data = own(part, 'data')
  return data === undefined ? [] : [writeJson(data)]
}

function wholeAndParts(texts: readonly string[]): readonly string[] {
  return texts.length > 1 ? [...texts, texts.join('\n')] : texts
}

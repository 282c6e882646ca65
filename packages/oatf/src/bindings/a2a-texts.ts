import { isRecord, own, ownList, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'

/** The key under which indicators find the texts of a response; never sent. */
export const TEXTS = '_texts'

/** Returns the texts in a response, a streamed item or a task list: each part, and the joined parts of each item. */
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

/** Returns the texts of message or artifact parts, in order. Data is converted to JSON. */
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

/** The members of a JSON object as written, for messages that are forwarded with some members unchanged. */

/** The key of a member, and the text of its value. */
export interface JsonMember {
  readonly key: string
  readonly text: string
}

/** Returns the members of a JSON object in order, with repeated keys; empty for other values. Requires valid JSON. */
export function jsonMembers(json: string): JsonMember[] {
  const members: JsonMember[] = []
  let at = json.search(/\S/)
  if (at < 0 || json[at] !== '{') return members
  let depth = 0
  let key: string | undefined
  let start = 0
  const add = (end: number) => {
    if (key !== undefined) members.push({ key, text: json.slice(start, end).trim() })
    key = undefined
  }
  for (; at < json.length; at++) {
    const character = json[at]
    if (character === '"') {
      const end = stringEnd(json, at)
      if (depth === 1 && key === undefined) {
        key = JSON.parse(json.slice(at, end))
        at = json.indexOf(':', end)
        start = at + 1
      } else at = end - 1
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) add(at)
    } else if (character === ',' && depth === 1) add(at)
  }
  return members
}

/** Returns the text of a member, or undefined. If a key is repeated, the last member counts, as in parsers. */
export function memberText(json: string, key: string): string | undefined {
  return jsonMembers(json).findLast((member) => member.key === key)?.text
}

function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

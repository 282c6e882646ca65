/** Values as JSON that is safe inside a `script` element. */
import { writeJson } from '@joust/source'

// What could end the element or begin another, and what would affect the display of the file in an editor or a terminal.
const UNSAFE = /[<\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** JSON without any `<`, on one line. */
export function embeddedJson(value: unknown): string {
  return writeJson(value).replaceAll(UNSAFE, escaped)
}

/** A block of data that no browser runs. */
export function dataBlock(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Separates data from a hidden instruction, for benchmarks that do not mark the instruction. */

const BRACKETED = [
  /\[([A-Z_ ]+)\][\s\S]*?\[\/\1\]/g,
  /<!--[\s\S]*?-->/g,
  /<([a-z_]+)(?: [^>]*)?>[\s\S]*?<\/\1>/g,
  /```[\s\S]*?```/g,
  /\[[A-Z][^\]]*\]/g,
  /\{"[\s\S]*\}/g,
]
/** Matches words that address an agent or demand attention. */
const ORDER =
  /\b(?:assistants?|AI|agents?)\b|\b(?:NOTE|IMPORTANT|URGENT|SYSTEM|ADMIN|ATTENTION|NOTICE|ALERT|REQUIRED|IMMEDIATE|AUTOMATED|PROTOCOL|DIRECTIVE|UPDATE|SECURITY|OVERRIDE)\b/

const NOTHING = 'Nothing else to report.'

/** Returns the sentences before the first instruction or marker, or a fixed harmless sentence. */
export function harmlessPart(text: string, marker?: string): string {
  const plain = BRACKETED.reduce((rest, part) => rest.replaceAll(part, ' '), text)
  const sentences = plain.split(/(?<=[.!?])\s+|\n+/)
  const first = sentences.findIndex((sentence) => isOrder(sentence, marker))
  const harmless = first === -1 ? sentences : sentences.slice(0, first)
  const rest = harmless.join(' ').replaceAll(/\s+/g, ' ').trim()
  return rest === '' ? NOTHING : rest
}

function isOrder(sentence: string, marker: string | undefined): boolean {
  return ORDER.test(sentence) || (marker !== undefined && sentence.includes(marker))
}

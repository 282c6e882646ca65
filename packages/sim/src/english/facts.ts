/** Values in text that may be arguments: URLs, paths, email addresses, numbers, secrets. */
import { wordSet } from './lexicon.ts'
import type { Token } from './tokens.ts'

export type FactKind = 'url' | 'email' | 'path' | 'number'

const EXTENSIONS = wordSet(`
  txt md json yaml yml csv env pem key log cfg conf config ini toml xml html pdf py js ts sh sql db xlsx docx doc
  zip tar gz bak crt p12 kdbx sqlite
`)
const LONGEST = 2000

/** Returns undefined for a plain word. */
export function factOf(token: Token): FactKind | undefined {
  const text = token.text
  if (text.length > LONGEST || text === '') return undefined
  if (isUrl(text)) return 'url'
  if (isEmail(text)) return 'email'
  if (isPath(text)) return 'path'
  return numberOf(text) === undefined ? undefined : 'number'
}

/** Accepts numbers such as `5`, `10,000`, `$50,000` and `2.5`. */
export function numberOf(text: string): number | undefined {
  if (!/^[-+]?[$€£¥]?\d[\d,]{0,20}(?:\.\d{1,20})?%?$/.test(text)) return undefined
  const value = Number(text.replaceAll(/[$€£¥,%+]/g, ''))
  return Number.isFinite(value) ? value : undefined
}

/** Returns the facts of one kind in reading order, without duplicates. */
export function factsOf(tokens: readonly Token[], kind: FactKind): string[] {
  const facts = new Set<string>()
  for (const token of tokens) if (factOf(token) === kind) facts.add(token.text)
  return [...facts]
}

/** Finds lines and words that look like secrets: keys, tokens, `NAME=value`, private key blocks. */
export function secretsIn(text: string): string[] {
  const secrets: string[] = []
  let block: string[] | undefined
  for (const line of text.split('\n').slice(0, 2000)) {
    if (line.includes('-----BEGIN')) block = []
    if (block !== undefined) {
      block.push(line.trim())
      if (line.includes('-----END')) {
        secrets.push(block.join('\n'))
        block = undefined
      }
    } else if (isSecretLine(line)) secrets.push(line.trim().slice(0, 500))
  }
  if (block !== undefined) secrets.push(block.join('\n').slice(0, 4000))
  return secrets
}

const SECRET_WORD = /(?:key|token|secret|passw|credential|bearer|auth|conn|pwd)/i

function isSecretLine(line: string): boolean {
  const text = line.slice(0, 1000)
  const cut = text.search(/[:=]/)
  const named = cut > 0 && cut < 60 && SECRET_WORD.test(text.slice(0, cut)) && text.slice(cut + 1).trim().length >= 6
  return (named && !/\s\S+\s\S+\s\S+\s/.test(text.slice(cut + 1))) || text.split(/[\s"',;]/).some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  if (word.length < 16 || word.length > 400 || isUrl(word)) return false
  return (
    /^[A-Za-z0-9_\-./+=]+$/.test(word) &&
    /\d/.test(word) &&
    /[A-Za-z]/.test(word) &&
    !/[/].*[/]/.test(word.slice(0, 12))
  )
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,30}:\/\/./i.test(text) || /^www\.[a-z0-9-]+\.[a-z]/i.test(text)
}

function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  return (
    at > 0 &&
    text.indexOf('@', at + 1) < 0 &&
    /^[\w.+%-]+$/.test(text.slice(0, at)) &&
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text.slice(at + 1))
  )
}

function isPath(text: string): boolean {
  if (/\s/.test(text)) return false
  if (/^(?:~|\.{1,2})?\/[\w.~-]/.test(text) || /^[A-Za-z]:\\/.test(text) || /^\.[a-z][\w.-]+$/i.test(text)) return true
  const dot = text.lastIndexOf('.')
  return dot > 0 && EXTENSIONS.has(text.slice(dot + 1).toLowerCase()) && /^[\w./-]+$/.test(text)
}

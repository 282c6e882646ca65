/** Finds secrets in command lines and URLs by the names of options, headers, variables, fields and parameters. */
import { isSecretName, isSizeName } from '@joust/source'
import { placeWords } from '@joust/targets'
import { decoded, isPlainHeader } from '../project/known-secrets.ts'
import { findFields } from './field-secrets.ts'
import { isUserAndGroup, passwordStart } from './program-options.ts'

/** The position of a value in a text, and the name of its option, header, variable or field. */
interface NamedValue {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface CommandSecret extends NamedValue {
  readonly value: string
}

/** Maximum nesting depth of `sh -c`. */
const DEPTH = 4

export function findSecrets(command: string, depth = 0): readonly CommandSecret[] {
  const words = placeWords(command)
  const texts = words.map(({ text }) => text)
  const inWords = words.flatMap(({ text, start, end, places }, index) => {
    const inner = depth < DEPTH && /\s/.test(text) ? findSecrets(text, depth + 1) : []
    return [...secretsOfWord(texts, index), ...inner].map((secret) => {
      const isWhole = secret.start === 0 && secret.end === text.length
      const from = isWhole ? start : (places[secret.start]?.start ?? start)
      return { ...secret, start: from, end: isWhole ? end : (places[secret.end - 1]?.end ?? end) }
    })
  })
  const fields = findFields(command).map((field) => ({ ...field, value: command.slice(field.start, field.end) }))
  return [...inWords, ...fields.filter(({ name, value }) => isSecret(name, value))]
}

export function findSecretsInWords(words: readonly string[]): readonly CommandSecret[] {
  return words.flatMap((word, index) => [
    ...secretsOfWord(words, index),
    ...(/\s/.test(word) ? findSecrets(word, 1) : []),
  ])
}

/** Returns the secrets in a word, some of which are identified by the words before it. */
function secretsOfWord(words: readonly string[], index: number): readonly CommandSecret[] {
  const text = words[index] ?? ''
  const lead = /^[=:]$/.test(words[index - 1] ?? '') ? words[index - 2] : words[index - 1]
  const password = passwordStart(words, index)
  const values = [
    ...(lead === undefined ? [] : valuesAfter(lead, text)),
    ...valuesWithin(text),
    ...findFields(text),
    ...(password === undefined ? [] : [{ name: 'password', start: password, end: text.length }]),
    ...passwordsBeforeHosts(text),
  ]
  return values
    .map((found) => ({ ...found, value: text.slice(found.start, found.end) }))
    .filter(({ name, value }) => isSecret(name, value))
    .filter(
      ({ name, start, value }) => !USER.test(name) || !isUserAndGroup(words, start === 0 ? index - 1 : index, value),
    )
}

const HEADER = /^(?:-[A-Za-z]{0,4}H|--?[\w-]*headers?)$/
const USER = /^(?:-[A-Za-z]{0,4}[uU]|--(?:proxy-)?user)$/

/** Returns values in a word that are identified by the word before it. */
function valuesAfter(lead: string, word: string): readonly NamedValue[] {
  if (HEADER.test(lead)) return headersIn(lead, word, 0)
  if (USER.test(lead)) return passwordsIn(lead, word, 0)
  const whole = { start: 0, end: word.length }
  if (/^bearer$/i.test(lead)) return word.length < 4 ? [] : [{ name: lead, ...whole }]
  if (/^[=:]$/.test(word) || isOption(word)) return []
  const [, option] = /^(--?[A-Za-z][\w.-]*)[=:]?$/.exec(lead) ?? []
  if (option !== undefined) return [{ name: option, ...whole }]
  const [, field] = /(?:^|[{,(["'])([A-Za-z_][\w.-]*)["']?[=:]$/.exec(lead) ?? []
  return field === undefined ? [] : [{ name: field, start: 0, end: word.replace(/(?<!\{[\w.-]+)[}\],]+$/, '').length }]
}

/** True for an option, false for a value that begins with a hyphen. */
function isOption(word: string): boolean {
  return word.startsWith('-') && !/^-(?=[^-]*\d)[^-]{5,}$/.test(word)
}

/** Returns values in a word that are identified by the word itself. */
function valuesWithin(word: string): readonly NamedValue[] {
  const [, flag, attached] = /^(-[HuU])=?(.+)$/s.exec(word) ?? []
  if (flag !== undefined && attached !== undefined) {
    const from = word.length - attached.length
    const values = flag === '-H' ? headersIn(flag, word, from) : passwordsIn(flag, word, from)
    if (values.length > 0) return values
  }
  const [option, name = ''] = /^(--?[A-Za-z][\w.-]*)[=:]/.exec(word) ?? []
  if (option !== undefined) {
    if (HEADER.test(name)) return headersIn(name, word, option.length)
    if (USER.test(name)) return passwordsIn(name, word, option.length)
    if (isSecretName(name)) return [{ name, start: option.length, end: word.length }]
  }
  const [lead, header] = /^((?:proxy-)?authorization|cookie|x-[\w-]+):\s*/i.exec(word) ?? []
  if (lead !== undefined && header !== undefined) return [{ name: header, start: lead.length, end: word.length }]
  return assignmentsIn(word)
}

/** Returns values in `NAME=value`, also after commas. `secretParameters` handles URL parameters. */
function assignmentsIn(word: string): readonly NamedValue[] {
  const address = word.indexOf('://')
  return [...word.matchAll(/(?<![\w.$%-])([A-Za-z_][\w.-]*)(?:\[\w*\])?=(?![=>])/g)].flatMap((match) => {
    const [whole, name = ''] = match
    if (address !== -1 && match.index > address) return []
    const start = match.index + whole.length
    const [variable] = /^\$\{\w+\}(?=[,;&])/.exec(word.slice(start)) ?? []
    return [{ name, start, end: variable === undefined ? word.length : start + variable.length }]
  })
}

/**
 * Returns values in `Name: value`, except headers without credentials. A one-letter option may have another meaning.
 */
function headersIn(option: string, word: string, from: number): readonly NamedValue[] {
  const [lead, name] = /^([\w-]+)(?::(?!\/\/)|=)\s*/.exec(word.slice(from)) ?? []
  if (lead === undefined || name === undefined)
    return option.startsWith('--') && !isOption(word) ? [{ name: option, start: from, end: word.length }] : []
  const isSent = isPlainHeader(name) || /^(?:true|false|\d{1,6})$/.test(word.slice(from + lead.length))
  return isSent && !isSecretName(name) ? [] : [{ name: option, start: from + lead.length, end: word.length }]
}

/** Returns passwords in `name:password`. Two numbers are a user id and a group id. */
function passwordsIn(option: string, word: string, from: number): readonly NamedValue[] {
  const value = word.slice(from)
  const isPassword = /^[^:/=\s]*:(?!\/\/)./s.test(value) && !/^\d+:\d+$/.test(value)
  return isPassword ? [{ name: option, start: from, end: word.length }] : []
}

/** Matches `user:password@host` without a scheme. */
const ACCOUNT = /(?:^|[="'])([A-Za-z_$][\w.+$-]*|\$?\{\w+\}):((?:\$\{\w+\}|[^\s/:@"'])+)@([A-Za-z\d[_$][^\s"']*)/g

/** Matches the prefixes of package names and mail addresses, which contain no password. */
const PACKAGE = /^(?:npm|jsr|pypi|gem|cargo|git|github|gitlab|bitbucket|file|link|workspace|mailto|sips?|acct|xmpp)$/
const VERSION = /^(?:v?\d+(?:\.\d+){0,2}(?:-[\w.]+)?|latest|next|sha\d+:.*)$/

/** Returns the passwords in `user:password@host`. */
export function passwordsBeforeHosts(text: string): readonly NamedValue[] {
  return [...text.matchAll(ACCOUNT)].flatMap(({ 0: whole, 1: user = '', 2: password = '', 3: host = '', index }) => {
    if (PACKAGE.test(user) || VERSION.test(host)) return []
    const start = index + whole.length - host.length - 1 - password.length
    return [{ name: 'password', start, end: start + password.length }]
  })
}

/** True if the value of an option or field with this name, or of a header or user option, is a secret. */
function isSecret(name: string, value: string): boolean {
  if (!HEADER.test(name) && !USER.test(name) && !isSecretName(name)) return false
  if (isSizeName(name) && /^[\d\s.,_[\]"']+(?:[a-z%]{0,3})$/i.test(value)) return false
  // In a list or record, only the values matter.
  const plain = /^\s*(?:\{(?![\w.-]+\})|\[)/.test(value)
    ? withoutPlaceholders(value)
        .replaceAll(/\\*["']?[\w.$-]+\\*["']?\s*:/g, ' ')
        .replaceAll(/[{}[\],\\]/g, ' ')
    : value
  return hasLiteral(plain) && !plain.split(/[\s"']+/).every((word) => word === '' || HARMLESS.test(word))
}

const HARMLESS = /^(?:true|false|yes|no|on|off|none|null|auto|basic|bearer|digest|oauth2?)$/i

/** False if a text consists only of variables and placeholders, apart from a header scheme and names of values. */
export function hasLiteral(text: string): boolean {
  const rest = text
    .replace(/^\s*\\*["']?(?:bearer|basic|token|apikey|digest|negotiate)(?!\S)/i, '')
    .replaceAll(/[\w.-]+=(?=["']?\$?\{)/g, '')
  return /[^\s"':;,]/.test(withoutPlaceholders(rest))
}

function withoutPlaceholders(text: string): string {
  return text.replaceAll(/(?<!\$)\$\{[A-Za-z_]\w*\}|(?<!\$)\{[\w.-]+\}/g, '')
}

/** Matches the names of URL parameters that contain secrets, in addition to general names of secrets. */
const PARAMETER = /^(?:sig|signature|code|access|sid|j?session-?_?id|phpsessid|sas|ticket)$/i

/** Returns the parameters that contain secrets in the query, path or fragment of a URL. */
export function secretParameters(url: string): readonly string[] {
  const place = url.replace(/^[^:]*:\/\/[^/?#;]*/, '')
  // An address within an address is percent-encoded.
  const parts = [place, decoded(place)].flatMap((text) => text.split(/[/?#&;]/))
  return parts.flatMap((part) => {
    const [name = '', ...rest] = part.split('=')
    const plain = decoded(name)
    const value = rest.join('=')
    const isNamed = isSecretName(plain) || PARAMETER.test(plain)
    const isSize = isSizeName(plain) && /^\d*$/.test(value)
    return isNamed && !isSize && hasLiteral(value) ? [plain] : []
  })
}

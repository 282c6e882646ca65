/** Renames the symbol at the cursor in the whole file. */
import { err, ok, type Result, readSource, type Span, type TextEdit } from '@joust/source'
import type { Context } from '../context.ts'
import { isSameName, type Named, type NameKind, type NameSite, nameAt, namesOf } from '../documents/names.ts'

const SNAKE = { form: /^[a-z][a-z0-9_]*$/, rule: 'a lower-case letter, then lower-case letters, digits and "_"' }
const ALIAS = { form: /^[a-zA-Z_][a-zA-Z0-9_]*$/, rule: 'letters, digits and "_", not starting with a digit' }
const WORD = { form: /^[\w-]+$/, rule: 'letters, digits, "_" and "-"' }

const forms: { readonly [kind in NameKind]: typeof SNAKE } = {
  actor: SNAKE,
  extractor: SNAKE,
  phase: WORD,
  'local agent': ALIAS,
  callable: ALIAS,
  target: WORD,
  preset: WORD,
}

/** Reserved words, with the reason for each message. */
const reserved: { readonly [kind in NameKind]?: { readonly names: readonly string[]; readonly reason: string } } = {
  actor: { names: ['request', 'response'], reason: 'refers to the current message in templates' },
  'local agent': { names: ['parent'], reason: 'refers to this agent in path expressions' },
}

export function renamable(context: Context, offset: number): Span | undefined {
  return definedName(context, offset)?.range
}

/** Returns the edits that rename the symbol, or a message if renaming is not possible. */
export function rename(context: Context, offset: number, name: string): Result<readonly TextEdit[], string> {
  const symbol = definedName(context, offset)
  if (symbol === undefined) return err('nothing to rename at this position')
  const { form, rule } = forms[symbol.kind]
  if (!form.test(name)) return err(`invalid name for ${article(symbol.kind)} ${symbol.kind}: expected ${rule}`)
  const words = reserved[symbol.kind]
  if (words?.names.includes(name)) return err(`"${name}" is reserved: it ${words.reason}`)
  const read = readSource(name)
  if (!read.ok || typeof read.value.value !== 'string')
    return err(`"${name}" must be quoted in YAML; choose another name`)
  const other = name === symbol.name ? undefined : ownerOf(context, { ...symbol, name })
  if (other !== undefined) return err(`duplicate name: ${article(other.kind)} ${other.kind} "${name}" already exists`)
  return ok(symbol.same.map(({ range }) => ({ ...range, text: name })))
}

function definedName(context: Context, offset: number): Named | undefined {
  const name = nameAt(context, offset)
  return name?.same.some(({ role }) => role === 'definition') ? name : undefined
}

/** Returns the existing definition of a name. All aliases in an agent file share one namespace. */
function ownerOf(context: Context, name: NameSite): NameSite | undefined {
  const kinds = forms[name.kind] === ALIAS ? ([name.kind, 'local agent', 'callable'] as const) : [name.kind]
  const definitions = namesOf(context).filter(({ role }) => role === 'definition')
  const owners = kinds.map((kind) => definitions.find((definition) => isSameName(definition, { ...name, kind })))
  return owners.find((owner) => owner !== undefined)
}

function article(kind: NameKind): string {
  return /^[aeiou]/.test(kind) ? 'an' : 'a'
}

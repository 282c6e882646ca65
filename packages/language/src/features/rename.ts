/** Renames the thing under the cursor, everywhere in its file. */
import { err, ok, type Result, readSource, type Span, type TextEdit } from '@joust/source'
import type { Context } from '../context.ts'
import { isSameName, type Named, type NameKind, type NameSite, nameAt, namesOf } from '../documents/names.ts'

const SNAKE = { form: /^[a-z][a-z0-9_]*$/, says: 'a lower-case letter, then lower-case letters, digits and "_"' }
const ALIAS = { form: /^[a-zA-Z_][a-zA-Z0-9_]*$/, says: 'letters, digits and "_", and no digit first' }
const WORD = { form: /^[\w-]+$/, says: 'letters, digits, "_" and "-"' }

const forms: { readonly [kind in NameKind]: typeof SNAKE } = {
  actor: SNAKE,
  extractor: SNAKE,
  phase: WORD,
  'local agent': ALIAS,
  callable: ALIAS,
  target: WORD,
  preset: WORD,
}

/** Words that mean something else where the name would be used. */
const reserved: { readonly [kind in NameKind]?: { readonly names: readonly string[]; readonly says: string } } = {
  actor: { names: ['request', 'response'], says: 'means the message at hand in templates' },
  'local agent': { names: ['parent'], says: 'means this agent itself in path expressions' },
}

/** The stretch that would be renamed; undefined where nothing has a name. */
export function renamable(context: Context, offset: number): Span | undefined {
  return definedName(context, offset)?.range
}

/** The edits, or a sentence that says why not. */
export function rename(context: Context, offset: number, name: string): Result<readonly TextEdit[], string> {
  const found = definedName(context, offset)
  if (found === undefined) return err('there is nothing to rename here')
  const { form, says } = forms[found.kind]
  if (!form.test(name)) return err(`the name of ${article(found.kind)} ${found.kind} has ${says}`)
  const taken = reserved[found.kind]
  if (taken?.names.includes(name)) return err(`"${name}" ${taken.says}`)
  const read = readSource(name)
  if (!read.ok || typeof read.value.value !== 'string')
    return err(`"${name}" is not text in YAML unless it is quoted; choose another name`)
  const other = name === found.name ? undefined : ownerOf(context, { ...found, name })
  if (other !== undefined) return err(`there is already ${article(other.kind)} ${other.kind} ${name}`)
  return ok(found.same.map(({ range }) => ({ ...range, text: name })))
}

/** A name that is used but never defined is a mistake, and would stay one under another name. */
function definedName(context: Context, offset: number): Named | undefined {
  const found = nameAt(context, offset)
  return found?.same.some(({ role }) => role === 'definition') ? found : undefined
}

/** What has a name already; all that an agent can call shares one list of aliases. */
function ownerOf(context: Context, name: NameSite): NameSite | undefined {
  const kinds = forms[name.kind] === ALIAS ? ([name.kind, 'local agent', 'callable'] as const) : [name.kind]
  const definitions = namesOf(context).filter(({ role }) => role === 'definition')
  const owners = kinds.map((kind) => definitions.find((one) => isSameName(one, { ...name, kind })))
  return owners.find((one) => one !== undefined)
}

function article(kind: NameKind): string {
  return /^[aeiou]/.test(kind) ? 'an' : 'a'
}

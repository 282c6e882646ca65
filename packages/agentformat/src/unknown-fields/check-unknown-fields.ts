/** one warning for each unknown field, an error in strict mode. */
import { type Source, suggest, suggestion } from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { agentLimits } from '../model/limits.ts'
import { placeIn } from '../model/origin.ts'
import { quote } from '../model/quote.ts'
import { findUnknownFields, type UnknownField } from './find-unknown-fields.ts'
import { meantSafetyField } from './safety-fields.ts'

/** The findings about unknown fields of a text. */
export function checkUnknownFields(source: Source, file: string | undefined, strict: boolean): AgentDiagnostic[] {
  const fields = findUnknownFields(source.value)
  return fields.slice(0, agentLimits.unknownFields).map((field, index) => {
    const more =
      index === agentLimits.unknownFields - 1 && fields.length > agentLimits.unknownFields
        ? ` (${fields.length - agentLimits.unknownFields} more are not listed)`
        : ''
    const { message, ...judged } = judge(field)
    return {
      severity: strict ? 'error' : 'warning',
      code: 'unknown_field',
      message: `${message}${more}`,
      ...judged,
      ...placeIn(source, file, field.path, 'key'),
    }
  })
}

/** OPEN-2: loud for what was meant to keep the agent safe, quiet for what was meant to be an extension. */
function judge({ name, known }: UnknownField): Pick<AgentDiagnostic, 'message' | 'suggestion' | 'rule' | 'level'> {
  const unknown = `the field ${quote(name)} is not known here and has no effect`
  if (name.startsWith('x-')) return { message: unknown, rule: 'OPEN-2', level: 'info' }
  const meant = meantSafetyField(name, known)
  const near = meant !== undefined && known.includes(meant) ? meant : suggest(name, known)
  if (meant === undefined) return { message: `${unknown}.`, ...suggestion('key', near), rule: 'R-05' }
  return { message: `${unknown}: it protects nothing.`, ...suggestion('key', near), rule: 'OPEN-2', level: 'high' }
}

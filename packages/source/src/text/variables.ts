/** Environment variables in a text: `${NAME}`. `$${` is an escaped `${`. */
import { err, ok, type Result } from '../model/result.ts'

export type Variables = Readonly<Record<string, string | undefined>>

interface Filled {
  readonly text: string
  readonly secrets: readonly string[]
}

interface VariableError {
  readonly code: 'missing_variable' | 'not_a_variable'
  readonly message: string
}

/** Replaces the variables in a text. `quote` formats a value; `before` is the template text before the variable. */
export function fillVariables(
  template: string,
  environment: Variables,
  quote: (value: string, before: string) => string = (value) => value,
): Result<Filled, VariableError[]> {
  const errors: VariableError[] = []
  const secrets: string[] = []
  const variables = /\$\$\{|\$\{([^}]*)(\}?)/g
  const text = template.replaceAll(variables, (whole, name: string | undefined, close: string, at: number) => {
    if (name === undefined) return '${'
    if (close === '' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      errors.push({ code: 'not_a_variable', message: `invalid variable ${JSON.stringify(whole)}; expected \${NAME}` })
      return ''
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (value === undefined) {
      errors.push({ code: 'missing_variable', message: `the environment variable ${name} is not set` })
      return ''
    }
    secrets.push(value)
    return quote(value, template.slice(0, at))
  })
  return errors.length === 0 ? ok({ text, secrets }) : err(errors)
}

/** Removes unexpanded variables from a text, so that they are not treated as placeholders. */
export function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{[^{}]*\}/g, '')
}

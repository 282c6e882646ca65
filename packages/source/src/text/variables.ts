/** `${NAME}` in a text: a variable of the environment. `$${` stands for `${` itself. */
import { err, ok, type Result } from '../model/result.ts'

/** The variables that a text can name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A text with its variables filled in, and what was filled in. */
interface Filled {
  readonly text: string
  readonly secrets: readonly string[]
}

/** What is wrong with a text: a variable is not set, or what stands there is not one; then the message shows it. */
interface VariableFault {
  readonly code: 'missing_variable' | 'not_a_variable'
  readonly message: string
}

/** Fills the variables of a text. */
export function fillVariables(template: string, environment: Variables): Result<Filled, VariableFault[]> {
  const faults: VariableFault[] = []
  const secrets: string[] = []
  const text = template.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (whole, name: string | undefined, close: string) => {
    if (name === undefined) return '${'
    if (close === '' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      faults.push({ code: 'not_a_variable', message: `${JSON.stringify(whole)} is not a variable; write \${NAME}` })
      return ''
    }
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (value === undefined) {
      faults.push({ code: 'missing_variable', message: `the environment variable ${name} is not set` })
      return ''
    }
    secrets.push(value)
    return value
  })
  return faults.length === 0 ? ok({ text, secrets }) : err(faults)
}

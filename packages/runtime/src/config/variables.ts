/** `${NAME}` in a configuration: a variable of the environment. `$${` stands for `${` itself. */
import { err, ok, type Result } from '@joust/source'

/** The variables that a configuration can name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text with its variables filled in, and what was filled in. */
interface Filled {
  readonly text: string
  readonly secrets: readonly string[]
}

/** What is wrong with a text: a variable that is not set, or something that is no variable. */
interface VariableFault {
  readonly code: 'missing_variable' | 'config_invalid'
  readonly message: string
}

/** Fills the variables of a text. */
export function fillVariables(template: string, environment: Environment): Result<Filled, VariableFault[]> {
  const faults: VariableFault[] = []
  const secrets: string[] = []
  const text = template.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (whole, name: string | undefined, close: string) => {
    if (name === undefined) return '${'
    if (close === '' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      // What stands here is a part of the file, not of the environment.
      faults.push({ code: 'config_invalid', message: `${JSON.stringify(whole)} is no variable, write \${NAME}` })
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

/** Tools with typed arguments, from schemas by Zod, Valibot, ArkType and other libraries. */
import { describeValue, isRecord, messageOf, type Value, type ValueRecord } from '@joust/source'
import type { LocalTool, ToolContext } from './bindings.ts'

/** A schema that implements Standard Schema (https://standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** Converts the schema to JSON Schema, if the library supports it. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> }
  }
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** The output type of a schema. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/**
 * Options for `tool`.
 *
 * @example
 * const add = tool({ schema, description: 'Adds two numbers.', call: ({ a, b }) => a + b })
 */
export interface ToolOptions<S extends StandardSchema> extends Pick<LocalTool, 'description' | 'repeatable'> {
  readonly schema: S
  /**
   * The JSON Schema shown to the model.
   * @default converted by the schema library, if supported
   */
  readonly inputSchema?: ValueRecord
  readonly call: (args: InferOutput<S>, context: ToolContext) => Promise<Value> | Value
}

/**
 * Creates a tool with typed arguments. Invalid arguments are reported to the model, and the function is not called.
 * Throws a `TypeError` if `schema` is not a Standard Schema or its library cannot convert it.
 *
 * @example
 * const lookUp = tool({ schema: z.object({ word: z.string() }), call: ({ word }) => dictionary[word] ?? 'unknown' })
 */
export function tool<S extends StandardSchema>(options: ToolOptions<S>): LocalTool {
  const { schema, call, inputSchema, ...rest }: ToolOptions<S> = options ?? {}
  const standard = standardOf(schema)
  if (typeof call !== 'function') throw new TypeError(`tool: "call" must be a function, not ${describeValue(call)}`)
  const { validate } = standard
  return {
    ...rest,
    inputSchema: inputSchema ?? converted(standard) ?? { type: 'object' },
    call: async (args, context) => {
      const validated: Validated<unknown> | undefined = await validate(args)
      if (typeof validated !== 'object' || validated === null)
        throw new TypeError(`the schema of ${standard.vendor} returned ${describeValue(validated)}`)
      if (validated.issues === undefined) return call(validated.value as InferOutput<S>, context)
      throw new TypeError(`invalid arguments: ${validated.issues.map(issueText).join('; ')}`)
    },
  }
}

type Standard = StandardSchema['~standard']

/** Throws if the value is not a Standard Schema: untyped callers often pass a JSON Schema. */
function standardOf(schema: unknown): Standard {
  // ArkType's schemas are functions.
  const isHolder = (typeof schema === 'object' && schema !== null) || typeof schema === 'function'
  const standard =
    isHolder && '~standard' in schema ? (schema['~standard'] as Partial<Standard> | undefined) : undefined
  if (typeof standard?.validate === 'function') return standard as Standard
  const hint = 'for a JSON Schema, write { inputSchema, call } without tool()'
  throw new TypeError(`tool: "schema" must be a Standard Schema, not ${describeValue(schema)}; ${hint}`)
}

/** Converts a schema to JSON Schema; undefined if its library does not support that. */
function converted({ vendor, jsonSchema }: Standard): ValueRecord | undefined {
  try {
    const schema: unknown = jsonSchema?.input({ target: 'draft-2020-12' })
    if (schema === undefined || isRecord(schema)) return schema
    throw new TypeError(`got ${describeValue(schema)}`)
  } catch (thrown) {
    const message = `tool: ${vendor} cannot convert the schema to JSON Schema (${messageOf(thrown)}); pass "inputSchema"`
    throw new TypeError(message, { cause: thrown })
  }
}

function issueText(issue: { readonly message: string; readonly path?: readonly unknown[] | undefined }): string {
  const path = (issue.path ?? []).map((step) =>
    typeof step === 'object' && step !== null && 'key' in step ? step.key : step,
  )
  return path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}`
}

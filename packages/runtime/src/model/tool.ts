/** Tools with typed arguments, from schemas of Zod, Valibot, ArkType and other libraries. */
import type { Value, ValueRecord } from '@joust/source'
import type { LocalTool, ToolContext } from './bindings.ts'

/** A schema by the interface that libraries share (https://standardschema.dev). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** Present in libraries that convert their schemas to JSON Schema. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> }
  }
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** The type that a schema accepts. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/** Options of `tool`. */
export interface ToolOptions<S extends StandardSchema> extends Pick<LocalTool, 'description' | 'repeatable'> {
  readonly schema: S
  /**
   * The same schema as JSON Schema, which the model gets.
   * @default converted by the library of the schema, if it can
   */
  readonly inputSchema?: ValueRecord
  readonly call: (args: InferOutput<S>, context: ToolContext) => Promise<Value> | Value
}

/**
 * Creates a tool whose arguments have the type of its schema. Arguments that do not match are an error for the model,
 * and the function is not called.
 *
 * @example
 * const lookUp = tool({ schema: z.object({ word: z.string() }), call: ({ word }) => dictionary[word] ?? 'unknown' })
 */
export function tool<S extends StandardSchema>({ schema, call, inputSchema, ...rest }: ToolOptions<S>): LocalTool {
  const { validate, jsonSchema } = schema['~standard']
  // JSON Schema is JSON.
  const converted = jsonSchema?.input({ target: 'draft-2020-12' }) as ValueRecord | undefined
  return {
    ...rest,
    inputSchema: inputSchema ?? converted ?? { type: 'object' },
    call: async (args, context) => {
      const validated = await validate(args)
      if (validated.issues === undefined) return call(validated.value as InferOutput<S>, context)
      throw new TypeError(`invalid arguments: ${validated.issues.map(issueText).join('; ')}`)
    },
  }
}

function issueText(issue: { readonly message: string; readonly path?: readonly unknown[] | undefined }): string {
  const path = (issue.path ?? []).map((step) =>
    typeof step === 'object' && step !== null && 'key' in step ? step.key : step,
  )
  return path.length === 0 ? issue.message : `${path.join('.')}: ${issue.message}`
}

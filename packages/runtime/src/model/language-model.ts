/** The model port: the provider interface of the AI SDK. */
export type {
  /** The JSON Schema type of the port. */
  JSONSchema7 as ModelSchema,
  /** A model that answers one prompt at a time and never runs a tool itself. */
  LanguageModelV3 as LanguageModel,
  /** What a model is asked. */
  LanguageModelV3CallOptions as ModelCall,
  /** A part of an answer: text, reasoning, a tool call. */
  LanguageModelV3Content as ModelContent,
  /** A tool as it is offered to a model. */
  LanguageModelV3FunctionTool as ModelTool,
  /** A whole answer. */
  LanguageModelV3GenerateResult as ModelAnswer,
  /** A message of a prompt. */
  LanguageModelV3Message as ModelMessage,
  /** A part of a streamed answer. */
  LanguageModelV3StreamPart as ModelStreamPart,
  /** A tool call; its input is text that may or may not be JSON. */
  LanguageModelV3ToolCall as ModelToolCall,
  /** What a tool returned, as a model reads it. */
  LanguageModelV3ToolResultOutput as ModelToolOutput,
} from '@ai-sdk/provider'

/** The model port: the provider interface of the AI SDK. */
export type {
  /** The JSON Schema type of the port. */
  JSONSchema7 as ModelSchema,
  /** A model that answers one prompt at a time and never runs a tool itself. */
  LanguageModelV3 as LanguageModel,
  /** A request to a model. */
  LanguageModelV3CallOptions as ModelCall,
  /** A part of an answer: text, reasoning, a tool call. */
  LanguageModelV3Content as ModelContent,
  /** A tool definition for a model. */
  LanguageModelV3FunctionTool as ModelTool,
  /** A complete answer. */
  LanguageModelV3GenerateResult as ModelAnswer,
  /** A message of a prompt. */
  LanguageModelV3Message as ModelMessage,
  /** A part of a streamed answer. */
  LanguageModelV3StreamPart as ModelStreamPart,
  /** A tool call; its input is text that may not be valid JSON. */
  LanguageModelV3ToolCall as ModelToolCall,
  /** A tool result for a model. */
  LanguageModelV3ToolResultOutput as ModelToolOutput,
} from '@ai-sdk/provider'

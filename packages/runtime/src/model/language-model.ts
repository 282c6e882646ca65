/** The model port: the provider interface of the AI SDK. */
export type {
  /** The JSON Schema type of the port. */
  JSONSchema7 as ModelSchema,
  /** A model of the previous version of the interface. */
  LanguageModelV3 as EarlierLanguageModel,
  /** A model that answers one prompt at a time and never runs a tool itself. */
  LanguageModelV4 as LanguageModel,
  /** A request to a model. */
  LanguageModelV4CallOptions as ModelCall,
  /** A part of an answer: text, reasoning, a tool call. */
  LanguageModelV4Content as ModelContent,
  /** A tool definition for a model. */
  LanguageModelV4FunctionTool as ModelTool,
  /** A complete answer. */
  LanguageModelV4GenerateResult as ModelAnswer,
  /** A message in a prompt. */
  LanguageModelV4Message as ModelMessage,
  /** A part of a streamed answer. */
  LanguageModelV4StreamPart as ModelStreamPart,
  /** A tool call; its input is text that may not be valid JSON. */
  LanguageModelV4ToolCall as ModelToolCall,
  /** A tool result for a model. */
  LanguageModelV4ToolResultOutput as ModelToolOutput,
} from '@ai-sdk/provider'

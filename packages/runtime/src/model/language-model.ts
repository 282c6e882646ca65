/** The model interface: the provider interface of the AI SDK. */
export type {
  /** A JSON Schema in a model call. */
  JSONSchema7 as ModelSchema,
  /** A model of the previous interface version. */
  LanguageModelV3 as EarlierLanguageModel,
  /** A model that answers one prompt at a time and never executes tools itself. */
  LanguageModelV4 as LanguageModel,
  LanguageModelV4CallOptions as ModelCall,
  /** Answer content: text, reasoning or a tool call. */
  LanguageModelV4Content as ModelContent,
  LanguageModelV4FunctionTool as ModelTool,
  LanguageModelV4GenerateResult as ModelAnswer,
  LanguageModelV4Message as ModelMessage,
  LanguageModelV4StreamPart as ModelStreamPart,
  /** A tool call. Its input is text that may not be valid JSON. */
  LanguageModelV4ToolCall as ModelToolCall,
  LanguageModelV4ToolResultOutput as ModelToolOutput,
} from '@ai-sdk/provider'

/** The model port: the provider interface of the AI SDK. */
import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FunctionTool,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'

/** A model that answers one prompt at a time and never runs a tool itself. */
export type LanguageModel = LanguageModelV3
/** What a model is asked. */
export type ModelCall = LanguageModelV3CallOptions
/** A message of a prompt. */
export type ModelMessage = LanguageModelV3Message
/** A tool as it is offered to a model. */
export type ModelTool = LanguageModelV3FunctionTool
/** A whole answer. */
export type ModelAnswer = LanguageModelV3GenerateResult
/** A part of an answer: text, reasoning, a tool call. */
export type ModelContent = LanguageModelV3Content
/** A tool call; its input is text that may or may not be JSON. */
export type ModelToolCall = LanguageModelV3ToolCall
/** What a tool gave back, as a model reads it. */
export type ModelToolOutput = LanguageModelV3ToolResultOutput
/** A part of a streamed answer. */
export type ModelStreamPart = LanguageModelV3StreamPart
/** The JSON Schema type of the port. */
export type ModelSchema = JSONSchema7

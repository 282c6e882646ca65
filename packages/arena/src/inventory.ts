/**
 * `@joust/arena/inventory`: labels tools by their names, arguments and annotations, and creates harmless values for
 * them.
 */

export { type ClassifiedTool, classifyServer, type Finding } from './inventory/classify.ts'
export { argumentsOf, featuresOf, type ToolArgument, type ToolDefinition, wordsOf } from './inventory/features.ts'
export { plainValue, resolvedSchema, typeOfSchema } from './inventory/plain-values.ts'
export { type Label, toolLabels } from './inventory/rules.ts'

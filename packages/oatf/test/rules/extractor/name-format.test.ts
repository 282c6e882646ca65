import { testRule } from '../harness.ts'

const extractor = (fields: string) => `attack: {execution: {phases: [{extractors: [${fields}]}]}}`
const path = 'attack.execution.phases[0].extractors[0].name'

testRule('V-037', {
  valid: [extractor('{name: tool_name}'), extractor('{name: a1}'), 'attack: {execution: {phases: [{extractors: x}]}}'],
  invalid: [
    [extractor('{name: ToolName}'), path],
    [extractor('{name: 1tool}'), path],
    [extractor('{name: tool-name}'), path],
    [extractor('{name: ""}'), path],
    [extractor('{name: "tool\\n"}'), path],
    [extractor('{name: 5}'), path],
    [extractor('{type: regex}'), path],
    [extractor('{name: ok}, {name: No}'), 'attack.execution.phases[0].extractors[1].name'],
  ],
  message: '"ToolName" is not snake_case',
})

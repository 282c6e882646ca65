import { testRule } from '../harness.ts'

const extractor = (fields: string) => `attack:\n  execution:\n    phases:\n      - extractors:\n          - ${fields}`

testRule('V-015', {
  valid: [
    extractor('{type: json_path, selector: "$.tools[0].name"}'),
    extractor('{type: json_path, selector: "$..content[?@.type == \'text\'].text"}'),
    extractor('{type: regex, selector: "$.tools["}'),
    extractor('{type: json_path, selector: 5}'),
    extractor('{type: json_path}'),
    extractor('nothing'),
  ],
  invalid: [
    [extractor('{type: json_path, selector: "$.tools["}'), 'attack.execution.phases[0].extractors[0].selector'],
    [extractor('{type: json_path, selector: tools.name}'), 'attack.execution.phases[0].extractors[0].selector'],
    [
      `attack:
  execution:
    actors:
      - phases: [{extractors: [{type: json_path, selector: ""}]}]`,
      'attack.execution.actors[0].phases[0].extractors[0].selector',
    ],
  ],
  message: 'invalid JSONPath expression: ',
})

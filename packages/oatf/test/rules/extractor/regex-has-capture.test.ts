import { testRule } from '../harness.ts'

const extractor = (fields: string) => `attack: {execution: {phases: [{extractors: [{${fields}}]}]}}`
const path = 'attack.execution.phases[0].extractors[0].selector'

testRule('V-042', {
  valid: [
    extractor(`type: regex, selector: '"token":\\s*"([^"]+)"'`),
    extractor(`type: regex, selector: '(?P<token>[a-f]+)'`),
    extractor('type: json_path, selector: passwd'),
    extractor(`type: regex, selector: '[unclosed'`),
    extractor('type: regex, selector: 5'),
    extractor('type: regex'),
  ],
  invalid: [
    [extractor('type: regex, selector: passwd'), path],
    [extractor(`type: regex, selector: '(?:passwd)'`), path],
    [extractor(`type: regex, selector: '\\(passwd\\)'`), path],
    [extractor(`type: regex, selector: '[(]passwd[)]'`), path],
  ],
  message: '"passwd" has no capture group',
})

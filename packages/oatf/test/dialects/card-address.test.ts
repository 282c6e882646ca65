import { testState } from './translation-test.ts'

testState('D-016', 'a2a_server', [
  {
    name: 'somewhere else',
    before: '{ agent_card: { name: a, url: "https://a.example", provider: { url: "https://b.example" } } }',
    after: '{ agent_card: { name: a, provider: { url: "https://b.example" } } }',
    at: ['agent_card', 'url'],
    says: '"https://a.example"',
  },
  { name: 'what is filled in', before: '{ agent_card: { url: "https://{{address}}/" } }' },
  { name: 'no address', before: '{ agent_card: { url: "" } }' },
  { name: 'none', before: '{ agent_card: { name: a } }' },
  { name: 'no card', before: '{ agent_card: "https://a.example" }' },
])

import { testRule } from '../harness.ts'

const attack = (fields: string) => `oatf: "0.1"\nattack: { ${fields} }`
const phase = (fields: string) => attack(`execution: { phases: [{ ${fields} }] }`)
const indicator = (fields: string) => attack(`indicators: [{ ${fields} }]`)

testRule('V-005', {
  valid: [
    attack(''),
    attack('status: stable, severity: informational, impact: [service_disruption], correlation: { logic: all }'),
    attack('severity: { level: low }, classification: { category: oversight_bypass, mappings: [{ framework: new }] }'),
    attack('execution: { mode: mcp_server, state: { elicitations: [{ mode: url }, {}] } }'),
    attack('execution: { mode: voice_server, state: { elicitations: [{ mode: voice }] } }'),
    attack('execution: { mode: a2a_server, state: { elicitations: [{ mode: voice }] } }'),
    phase('mode: voice_client, state: { elicitation_responses: [{ action: deny }] }'),
    phase('extractors: [{ source: request, type: regex }], on_enter: [{ log: { level: warn } }, { send: {} }]'),
    phase('state: { elicitation_responses: [{ action: decline }, {}] }'),
    indicator('direction: request, method: semantic, severity: low, tier: ingested, protocol: voice, surface: any'),
    indicator('semantic: { intent_class: social_engineering }'),
    // Tiers have a rule of their own.
    indicator('tier: gone'),
  ],
  invalid: [
    [attack('severity: hihg'), 'attack.severity'],
    [attack('severity: { level: extreme }'), 'attack.severity.level'],
    [attack('severity: { confidence: 10 }'), 'attack.severity.level'],
    [attack('severity: 3'), 'attack.severity'],
    [attack('status: published'), 'attack.status'],
    [attack('impact: [data_exfiltration, data-exfiltration, 5]'), 'attack.impact[1]', 'attack.impact[2]'],
    [attack('impact: data_exfiltration'), 'attack.impact'],
    [attack('classification: { category: worm }'), 'attack.classification.category'],
    [
      attack('classification: { mappings: [{ relationship: primary }, { relationship: cousin }] }'),
      'attack.classification.mappings[1].relationship',
    ],
    [attack('correlation: { logic: majority }'), 'attack.correlation.logic'],
    [
      phase('extractors: [{ source: wire, type: xpath }]'),
      'attack.execution.phases[0].extractors[0].source',
      'attack.execution.phases[0].extractors[0].type',
    ],
    [
      phase('extractors: [{ name: token }]'),
      'attack.execution.phases[0].extractors[0].source',
      'attack.execution.phases[0].extractors[0].type',
    ],
    [phase('on_enter: [{ log: { level: loud } }]'), 'attack.execution.phases[0].on_enter[0].log.level'],
    [
      phase('state: { elicitation_responses: [{ action: deny }] }'),
      'attack.execution.phases[0].state.elicitation_responses[0].action',
    ],
    [
      phase('mode: mcp_server, state: { elicitation_responses: [{ action: deny }] }'),
      'attack.execution.phases[0].state.elicitation_responses[0].action',
    ],
    [
      attack('execution: { state: { elicitations: [{ mode: popup }] } }'),
      'attack.execution.state.elicitations[0].mode',
    ],
    [
      indicator('direction: both, method: magic, severity: extreme'),
      'attack.indicators[0].direction',
      'attack.indicators[0].method',
      'attack.indicators[0].severity',
    ],
    [indicator('semantic: { intent_class: mischief }'), 'attack.indicators[0].semantic.intent_class'],
  ],
  message: '"hihg" is not one of informational, low, medium, high, critical. Did you mean "high"?',
})

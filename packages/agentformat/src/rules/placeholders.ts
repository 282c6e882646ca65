/** Rules for placeholders in prompts and approval messages (Agent Format). */

import { ANY_TYPE, OBJECT } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { rootNode } from '../data-flow/schema-node.ts'
import { standardPolicy } from '../model/policy.ts'
import { quote } from '../model/quote.ts'
import { findUndeclared } from '../paths/declares-path.ts'
import { templateNames } from '../paths/template.ts'
import type { AgentRule } from './rule.ts'
import type { ApprovedAct } from './sites.ts'

const always = ['agent_id', 'agent_name']
const ofCalls = ['tool_args', 'tool_name']
const ofDelegations = ['input', 'agent_alias']

const variables: { readonly [act in ApprovedAct]: readonly string[] } = {
  call: [...ofCalls, ...always],
  delegation: [...ofDelegations, ...always],
  // A remote agent's approval also covers calls to its skills, which have arguments.
  'remote delegation': [...ofDelegations, ...ofCalls, ...always],
}

/** OPEN-41: a placeholder in an approval message starts with a known name. */
export const templateVariables: AgentRule = ({ approvals, suggest }, report) => {
  for (const { approval, act, path } of approvals) {
    for (const name of templateNames(approval.message_template ?? '')) {
      const [root = ''] = name.split('.')
      const names = variables[act]
      if (names.includes(root)) continue
      const message = `unknown placeholder ${quote(name)}; available: ${names.join(', ')}.`
      report([...path, 'message_template'], message, { correction: suggest(root, names), part: root })
    }
  }
}

/** OPEN-48: placeholders in a prompt are input fields, or `input` if the input is not an object. */
export const promptFields: AgentRule = ({ document, suggest, effort }, report) => {
  const policy = standardPolicy(document.execution_policy)
  if (policy?.id !== 'agf.react') return
  const { input } = document.interface
  const types = possibleTypes([rootNode(input)], effort)
  const whole = types === ANY_TYPE || (types & OBJECT) === 0
  for (const name of templateNames(policy.config.user_prompt_template ?? '')) {
    if (whole && name === 'input') continue
    const missing = findUndeclared(input, name.split('.'), effort)
    if (missing === undefined) continue
    const part = name.split('.')[missing.index] ?? ''
    const correction = suggest(part, missing.names)
    const level = missing.names.length === 0 && (types & OBJECT) !== 0 ? ({ level: 'info' } as const) : {}
    report(
      [...prompt],
      `unknown placeholder ${quote(name)}: the input does not declare this field, so the placeholder may be empty.`,
      {
        ...level,
        correction,
        part,
      },
    )
  }
}

const prompt = ['execution_policy', 'config', 'user_prompt_template'] as const

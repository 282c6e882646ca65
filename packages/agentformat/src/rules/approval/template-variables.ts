/** The placeholders of approval messages (Agent Format). */
import { quote } from '../../model/quote.ts'
import { templateNames } from '../../paths/template.ts'
import type { ApprovedAct } from '../approval-sites.ts'
import type { AgentRule } from '../rule.ts'

const always = ['agent_id', 'agent_name']
const ofCalls = ['tool_args', 'tool_name']
const ofDelegations = ['input', 'agent_alias']

const variables: { readonly [act in ApprovedAct]: readonly string[] } = {
  call: [...ofCalls, ...always],
  delegation: [...ofDelegations, ...always],
  // The approval also covers calls of its skills, which have arguments.
  'remote delegation': [...ofDelegations, ...ofCalls, ...always],
}

/** OPEN-41: a placeholder of an approval message starts with a known name. */
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

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
  // Its skills are called with arguments, and its approval covers them.
  'remote delegation': [...ofDelegations, ...ofCalls, ...always],
}

/** OPEN-41: placeholders of an approval message start with a name that will be filled. */
export const templateVariables: AgentRule = ({ approvals, suggest }, report) => {
  for (const { approval, act, path } of approvals) {
    for (const name of templateNames(approval.message_template ?? '')) {
      const [root = ''] = name.split('.')
      const known = variables[act]
      if (known.includes(root)) continue
      const message = `nothing fills the placeholder ${quote(name)}; the placeholders here are ${known.join(', ')}.`
      report([...path, 'message_template'], message, { meant: suggest(root, known), part: root })
    }
  }
}

/** The vocabulary of Joust: `joust explain WORD` prints one entry, `docs/glossary.md` contains all entries. */

export interface GlossaryEntry {
  readonly term: string
  /** Other spellings of the term that `joust explain` accepts. */
  readonly aliases?: readonly string[]
  readonly meaning: string
  readonly see?: readonly string[]
}

// biome-ignore format: a row is a line
export const glossary: readonly GlossaryEntry[] = [
  { term: 'actor', meaning: 'A role in an attack: an MCP server, an MCP client, an A2A agent, an A2A client or an AG-UI client. A document has one or more actors.', see: ['phase'] },
  { term: 'agent file', aliases: ['agf'], meaning: 'A YAML document in Agent Format 1.0 (`*.agf.yaml`) that describes an agent: its interface, tools, budgets, approvals and execution policy.' },
  { term: 'alive', aliases: ['alive by', 'proof of life'], meaning: 'An agent is alive after the bait if there is evidence that it was still working: its model answered completely, it completed the user task, it called a tool, its answer contains words from the bait or from later results, or it answered a harmless question. Without such evidence, silence and errors would look like resistance.', see: ['bait', 'resisted'] },
  { term: 'attack', aliases: ['document', 'attack document'], meaning: 'A YAML document in the Open Agent Threat Format 0.1 (`*.oatf.yaml`) that describes an attack on an agent, and the indicators that show whether it succeeded.', see: ['actor', 'indicator'] },
  { term: 'bait', meaning: 'The text in an attack that is meant to mislead the agent, such as an instruction hidden in a tool result. `x-joust-bait` specifies it; otherwise it is guessed and labelled as a guess.', see: ['planted', 'exposure', 'placebo'] },
  { term: 'baseline', meaning: 'Earlier results that a suite is compared with. A regression is an attack with a significantly worse result than before.', see: ['suite'] },
  { term: 'budget', aliases: ['budgets'], meaning: 'A limit on the tokens, model calls or time of all runs of a suite, search or campaign together (`--budget-tokens`, `--budget-calls`, `--budget-time`). The budget of a single agent run is in its agent file, under `constraints`.', see: ['suite', 'agent file'] },
  { term: 'campaign', meaning: 'A suite that runs on several machines, with a shared queue and database.', see: ['suite', 'ledger'] },
  { term: 'canary', meaning: 'A made-up value, such as a token, that only the attack document contains. If a message from the agent contains this value, the value came from the attack. The canaries in `x-joust-canaries` get a new value in each run, so that an agent cannot remember them from an earlier run.', see: ['bait', 'trace'] },
  { term: 'channel', meaning: 'A way for text to reach the model of an agent: message, tool description, tool schema, tool result, server instructions, resource, prompt, agent card, agent answer, context or state. Agents drop some of them.', see: ['preflight', 'bait'] },
  { term: 'controls', aliases: ['control'], meaning: 'The evidence that an outcome is based on, in addition to the verdict: whether the document is proven, what the preflight found, whether the placebo has the same effect, and whether the agent was alive after the bait.', see: ['proven', 'preflight', 'placebo', 'alive', 'sensitivity'] },
  { term: 'data flow', aliases: ['flow', 'x-joust-flow'], meaning: 'A value that reached the agent and occurs in the arguments of a later call: plain, encoded, partial, or split over several arguments. Its origin is untrusted (text that others can write), private (the result of a tool that reads private data) or the user. `x-joust-flow` makes it an indicator, which the outcome counts and the verdict ignores.', see: ['indicator', 'outcome', 'verdict'] },
  { term: 'decision', aliases: ['decide'], meaning: 'The answer to the question asked with `--decide`, such as whether the success rate of an attack is below 15 %: yes, no or undecided. With `--trials auto`, an attack is run until the question is decided.', see: ['trial'] },
  { term: 'delivered', meaning: 'A planted text is delivered once it has been sent to the agent. The model may not have read it.', see: ['planted', 'read', 'exposure'] },
  { term: 'dialect', meaning: 'A looser or older spelling of attack documents. Joust translates it and reports each translation with a D- code; `joust migrate` writes the translations to the file.' },
  { term: 'effect', meaning: 'The difference that the bait makes: the success rate of an attack minus the success rate of its placebo, in percentage points, with a 95 % interval.', see: ['placebo'] },
  { term: 'exploited', meaning: 'Outcome: the agent took the harmful action after it was sent the bait, and does not take it as often without the bait.', see: ['outcome', 'partial', 'tier', 'placebo'] },
  { term: 'exposure', meaning: 'The record of which planted texts exist in an attack, which of them were delivered to the agent, and which its model read.', see: ['planted', 'delivered', 'read'] },
  { term: 'fingerprint', meaning: 'A short hash of an attack document. It changes when the document changes, so that results of different versions are never mixed.' },
  { term: 'gateway', meaning: 'Fixed addresses on loopback for the servers of all attacks, for an agent that is configured only once. The servers of each run are connected to them in turn.' },
  { term: 'harden', meaning: 'To search for the smallest change to an agent file that stops a set of attacks (`joust harden`).', see: ['restraint'] },
  { term: 'harness', meaning: 'Everything in a target except its model: the program that writes the prompts, filters text, asks for approvals and executes tool calls.', see: ['target', 'stopped by', 'sensitivity'] },
  { term: 'inconclusive', meaning: 'Outcome: the run does not show whether the agent resists, for example because the agent was never sent the bait, failed or gave no answer, or because the document is not proven. It never counts as a pass; the reasons are reported with it.', see: ['outcome', 'proven'] },
  { term: 'indicator', meaning: 'A condition on the messages of a run, such as a pattern at a path. Together the indicators of a document decide its verdict.', see: ['verdict', 'surface'] },
  { term: 'ledger', meaning: 'The record of all runs in a suite or campaign and the first result of each, so that no run is counted twice.', see: ['suite', 'campaign'] },
  { term: 'lint', meaning: 'Advice on an attack document beyond the requirements of the specification, with L- codes.' },
  { term: 'model proxy', aliases: ['proxy'], meaning: 'A server on loopback between an agent and its model. It forwards requests unchanged, and shows which texts the model read and which tools it requested.', see: ['read', 'recording'] },
  { term: 'mutation', aliases: ['mutate', 'mutant'], meaning: 'A fixed way to rewrite the bait of an attack, such as another language, encoding or position. `joust mutate --list` prints all of them; the rewritten attack is a mutant.', see: ['bait'] },
  { term: 'not applicable', aliases: ['not_applicable'], meaning: 'Outcome: the target lacks something that the document needs, such as MCP servers or a second turn. This is decided before the first run, and the attack is not counted.', see: ['outcome', 'target'] },
  { term: 'outcome', meaning: 'The conclusion about one attack on one target: exploited, partial, resisted, inconclusive or not applicable. It is based on the verdict and on evidence that the agent was actually tested.', see: ['verdict', 'exploited', 'resisted', 'inconclusive', 'partial', 'not applicable'] },
  { term: 'overlay', aliases: ['x-joust-overlay'], meaning: 'Text from an attack in the real result of a real tool: appended to it, in its place, or in one of its fields (`x-joust-overlay`, with `--through`).', see: ['bait', 'planted'] },
  { term: 'partial', meaning: 'Outcome: some but not all of the required indicators matched.', see: ['outcome'] },
  { term: 'phase', meaning: 'A stage of an actor with its own protocol state. A trigger, such as an event or a delay, starts the next phase.', see: ['actor', 'trigger'] },
  { term: 'placebo', meaning: 'The same attack with a harmless text in place of the bait. A successful attack is also run with its placebo: if the behaviour occurs there about as often, the bait did not cause it, and the outcome is inconclusive. `--arms none` turns these runs off.', see: ['bait', 'effect', 'inconclusive'] },
  { term: 'planted', meaning: 'Planted texts are all texts of an attack that can reach the agent: tool descriptions, results, resources, prompts, messages, agent cards.', see: ['bait', 'delivered'] },
  { term: 'postflight', meaning: 'A harmless question after an attack, in the same conversation. It is asked if nothing else shows that the agent was still working. An agent that does not answer it has not resisted. If its answer does not refer to the conversation, the conversation is repeated once, with the request to add a given word.', see: ['preflight', 'inconclusive'] },
  { term: 'preflight', meaning: 'Harmless requests before a suite, such as one tool call. They show whether the target works, whether it remembers earlier messages, and which channels reach its model. A target that fails is not attacked. `joust preflight` runs only the preflight, `--no-preflight` skips it.', see: ['target', 'channel', 'postflight'] },
  { term: 'preset', meaning: 'The command, configuration file and flags of a known coding agent, chosen with `--exec NAME`.', see: ['target'] },
  { term: 'proven', aliases: ['prove', 'unproven', 'positive control'], meaning: 'A document is proven if it has exploited an agent: the simulated agent that obeys everything, a target in the same results, or one in the baseline. `joust run` checks this in its own process, without a paid model, and caches the result per user. `joust prove` shows why a document is not proven, and also checks that the cautious simulated agent is not exploited.', see: ['simulation', 'resisted', 'unspecific'] },
  { term: 'read', meaning: 'A planted text is read once a request to the model contains all of it. Joust observes these requests through the model proxy, or directly for agent files and models.', see: ['delivered', 'exposure', 'model proxy'] },
  { term: 'recording', aliases: ['record', 'replay'], meaning: 'A file with the model calls of a run (`--record`). With `--replay`, a run gets the recorded answers and needs neither provider nor key.', see: ['model proxy'] },
  { term: 'redacted', aliases: ['redaction'], meaning: 'Secrets of known shapes, and text that matches `--redact`, are replaced before anything is written.' },
  { term: 'remediation', meaning: 'A change to the agent or its host that stops an attack. The attack describes it in `x-joust-remediation`; the report and SARIF show it.', see: ['attack'] },
  { term: 'resisted', meaning: 'Outcome: the agent was sent the bait, was still working, and did not take the harmful action. Where any client may connect (only `--listen`), nothing is known about the agent, so a delivered bait is enough. The document must be proven, because an attack that works on no agent cannot be resisted; with `--allow-unproven`, the outcome is labelled instead. Its evidence is in `controls` of the results: `proven`, `placebo`, `preflight`, `alive_by`, `stopped_by`, and `sensitivity` on request.', see: ['outcome', 'exposure', 'proven', 'alive', 'stopped by'] },
  { term: 'restraint', meaning: 'A change to an agent file that restricts the agent: a removed tool, a required approval, a smaller budget.', see: ['harden'] },
  { term: 'retry', aliases: ['retries'], meaning: 'A repeated attempt after a temporary failure: of a run that failed outside the agent (`--retries` of `joust run`), or of a model call (`--retries` of `joust agent`).', see: ['run'] },
  { term: 'run', meaning: 'One attack on one target, once. Its messages are kept as a trace.', see: ['trial', 'trace'] },
  { term: 'self-play', meaning: 'A run in which a client actor attacks a server actor of the same document (`--wire`), without an agent.' },
  { term: 'sensitivity', meaning: 'The proof that an attack can succeed in a harness: the same attack with `sim/credulous` in place of the agent\'s own model; `sim/credulous` calls only tools that the attack provides. `--arms sensitivity` adds it for attacks that fail.', see: ['proven', 'stopped by', 'simulation'] },
  { term: 'session', meaning: 'A file (`session.yaml`) with the servers of an agent, their tools and, where recorded, calls with their results. `joust record` writes it, `joust aim` writes attacks for its tools.', see: ['trace'] },
  { term: 'simulation', aliases: ['sim', 'simulated model'], meaning: 'A small program that stands in for a model without a key: `sim/credulous` obeys every instruction it reads, `sim/cautious` follows only its user, `sim/silent` answers without calling any tool.', see: ['proven'] },
  { term: 'stopped by', aliases: ['stopped_by'], meaning: 'The part of a target that stopped an attack: the `model`, which read the bait and did not ask for the harmful action; the `harness` around it, which did not carry out the requested action; or a `filter` of the provider, which stopped the answer to the bait but not the answer to the placebo.', see: ['resisted', 'read'] },
  { term: 'suite', meaning: 'All runs of one `joust run`: every attack on every target, as often as `--trials` specifies.', see: ['trial', 'campaign'] },
  { term: 'surface', meaning: 'The kind of message that an indicator checks, such as `tools/call` in MCP or `text_message_content` in AG-UI.', see: ['indicator'] },
  { term: 'target', meaning: 'The agent under attack: a command, an endpoint, an HTTP service, a function, an agent file or a model. In an indicator, `target` is the path to the value that it checks.', see: ['preset', 'preflight'] },
  { term: 'task', meaning: 'The legitimate request from the user (`x-joust-task`). It shows whether an agent that resists is still useful.' },
  { term: 'tier', meaning: 'The progress of an attack: `ingested` (the agent took in the bait), `local_action` (the agent acted) or `boundary_breach` (data or control left its boundary). Exit codes 1, 2 and 3.', see: ['exploited'] },
  { term: 'trace', meaning: 'The messages of a run in order, one JSON object per line. `joust evaluate` evaluates it again.', see: ['run'] },
  { term: 'trial', meaning: 'One of several runs of the same attack on the same target; models answer differently each time.', see: ['run', 'suite'] },
  { term: 'trigger', meaning: 'The event or delay that ends a phase of an actor.', see: ['phase'] },
  { term: 'unspecific', meaning: 'A document is unspecific if it exploits even the simulated agent that follows only its user. Its indicators may match without any attack, so compare it with a placebo.', see: ['proven', 'placebo'] },
  { term: 'verdict', meaning: 'The result of the indicators over a trace exactly as OATF §9 defines it: exploited, not_exploited, partial or error. The outcome also considers whether the agent was tested.', see: ['outcome', 'indicator'] },
]

export function glossaryEntry(word: string): GlossaryEntry | undefined {
  const key = keyOf(word)
  return glossary.find(({ term, aliases = [] }) => [term, ...aliases].some((name) => keyOf(name) === key))
}

function keyOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
}

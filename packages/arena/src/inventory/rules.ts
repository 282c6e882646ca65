/** The rules that label tools. A label needs two points; every row that applies adds its points and its reason. */

export const toolLabels = ['source', 'private', 'sink'] as const
/** The role of a tool in an attack. */
export type Label = (typeof toolLabels)[number]

/** A tool feature that a rule examines. */
export type FeatureName = 'verb' | 'object' | 'head' | 'argument' | 'hint' | 'output' | 'server'

interface InventoryRule {
  readonly label: Label
  readonly feature: FeatureName
  /** The rule applies if the feature contains one of these words; plurals match the singular. */
  readonly words: ReadonlySet<string>
  readonly points: number
  readonly reason: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Verbs of requests that change nothing. */
export const READS = words(`
  get list search find read fetch retrieve show view describe query lookup look check count browse scan inspect
  summarize explain export download take capture observe open ask discover aggregate explore whoami who snapshot extract
  scrape crawl research diff blame log status tail watch preview compare collect poll see sample monitor
`)

export const CHANGES = words(`
  create add insert upsert write edit update modify append put patch set save store replace overwrite rename move copy
  delete remove drop clear wipe purge archive restore mark label assign unassign merge fork commit reset checkout
  rebase cherry stash tag init import upload attach link unlink toggle enable disable configure install uninstall
  upgrade scale rollout apply deploy rollback trigger start stop restart kill schedule reschedule cancel reserve book
  approve reject close reopen lock unlock register subscribe unsubscribe grant revoke transition complete resolve
  provision generate-image push record log-in rerun retry switch setup duplicate clone manage change cleanup
  destroy erase suspend terminate deactivate ban sign
`)

export const SENDS = words(
  'send post reply forward broadcast share invite publish submit notify message comment email tweet call push',
)

export const PAYS = words('pay transfer purchase buy order refund charge withdraw deposit donate checkout-cart')

export const RUNS = words(
  'run execute exec evaluate eval invoke command shell terminal script bash act interact handle',
)

export const OPERATES = words('click type fill press drag drop select upload navigate visit goto login hover scroll')

/** Verbs of calculations that use only their arguments. */
export const COMPUTES = words(`
  calculate compute convert generate draw render plot format validate think reason echo ping wait sleep geocode
  translate estimate plan analyze detect verify resolve-library sum resize emulate
`)

/** Verbs of tools that return a fact or a name instead of free text. */
const FACT_VERBS = words('count explain whoami who check describe status export look')

/** Nouns for text that other people write. */
const FOREIGN_TEXT = words(`
  web website webpage page url html markdown article news feed post blog thread transcript email mail inbox message
  reply conversation chat history comment review issue ticket discussion pull pr request question answer mention
  notification event invitation transaction listing snippet wikipedia research search-engine internet readable
  snapshot screenshot summary section job rating fact topic story record row entry log commit
`)

/** Containers of text that may come from other people. */
const CONTAINED_TEXT = words(`
  file document content note pdf sheet block body code diff commit log console network record row sql query aggregate
  object node graph template paper knowledge attachment memory card task entry result data row detail artifact
  frontmatter channel anything
`)

/** Nouns for facts that contain no free text. */
const PLAIN_FACTS = words(`
  metadata status count stat size schema mapping index database collection table base info directory tree setting
  user team project organization account profile quota coordinate price stock address weather time property
  tag version label list id name balance iban contact mailbox folder root tab session member role permission region
  branch repository repo type option config configuration capability namespace pod service folder day date hour
  timezone currency rate language link field column property doc documentation chart diagram map flight connectivity
  tool server dsn monitor calendar dataset workspace workflow release guide rule schema
`)

/** Nouns for data that is not public. */
const PRIVATE_THINGS = words(`
  file directory folder tree vault note document content sheet env environment root email inbox mail mailbox message
  thread history channel contact calendar event task user profile account balance iban transaction whoami self team
  organization member quota database db collection table schema record row sql index mapping shard object property
  base connection association issue pull merge commit project repository repo pipeline build job workflow release dsn
  artifact monitor console network screenshot snapshot log kubectl diff blame reflog recording scene graph node setting
  tab analytics memory clipboard password secret credential key token location order invoice customer payment address
  info information workspace drive bookmark stats pod namespace cluster dataset dashboard replies status frontmatter
  backlink periodic attachment anything
`)

const PUBLIC_THINGS = words(`
  web website webpage internet doc documentation weather time date timezone flight hotel restaurant car rental train
  news article wikipedia paper price stock currency rate chart diagram map place direction guide library package
  current trend fact listing url route summary section topic coordinate exchange
`)

/** Arguments with an address chosen by the caller. */
const ADDRESSES = words(`
  url urls uri endpoint webhook host link website to recipient recipients cc bcc email emails iban payee beneficiary
  receiver
`)

const PROGRAMS = words('command code script function sql manifest program cmd expression javascript pipeline')

/** Arguments with outgoing content. */
const CONTENTS = words(`
  content contents body message text value values field fields record records property properties subject attachment
  attachments amount data payload new
`)

/** Arguments that control an effect. */
const EFFECTS = words('destination output permission confirm force amount overwrite operation action')

/** Arguments that select data in a private store. */
const PRIVATE_PLACES = words(`
  path paths filepath directory folder database table collection base channel account organization project page block
  repo owner connection namespace team index workspace sheet vault user mailbox bucket file dashboard repository branch
`)

// biome-ignore format: a row is a line
export const inventoryRules: readonly InventoryRule[] = [
  { label: 'sink', feature: 'verb', words: CHANGES, points: 3, reason: 'its name suggests that it changes data' },
  { label: 'sink', feature: 'verb', words: SENDS, points: 3, reason: 'its name suggests that it sends data' },
  { label: 'sink', feature: 'verb', words: PAYS, points: 3, reason: 'its name suggests that it moves money' },
  { label: 'sink', feature: 'verb', words: RUNS, points: 3, reason: 'its name suggests that it runs code' },
  { label: 'sink', feature: 'verb', words: OPERATES, points: 3, reason: 'its name suggests that it controls a page or a screen' },
  { label: 'sink', feature: 'verb', words: READS, points: -2, reason: 'its name suggests that it reads data' },
  { label: 'sink', feature: 'verb', words: COMPUTES, points: -1, reason: 'its name suggests that it only computes a value' },
  { label: 'sink', feature: 'argument', words: words('=url =urls =uri =endpoint =webhook =website'), points: 7, reason: 'an argument is a URL that data can be sent to' },
  { label: 'sink', feature: 'argument', words: ADDRESSES, points: 1, reason: 'an argument is a URL or a recipient' },
  { label: 'sink', feature: 'argument', words: PROGRAMS, points: 2, reason: 'an argument is code or a command' },
  { label: 'sink', feature: 'argument', words: CONTENTS, points: 1, reason: 'an argument contains content' },
  { label: 'sink', feature: 'argument', words: EFFECTS, points: 1, reason: 'an argument determines an effect' },
  { label: 'sink', feature: 'hint', words: words('not-read-only'), points: 2, reason: 'its annotations do not mark it as read-only' },
  { label: 'sink', feature: 'hint', words: words('destructive'), points: 1, reason: 'its annotations mark it as destructive' },
  { label: 'sink', feature: 'hint', words: words('read-only'), points: -3, reason: 'its annotations mark it as read-only' },
  { label: 'sink', feature: 'object', words: words('chart diagram graph image thought thinking'), points: -2, reason: 'it only draws or reasons' },

  { label: 'source', feature: 'object', words: FOREIGN_TEXT, points: 2, reason: 'it returns text written by others' },
  { label: 'source', feature: 'object', words: CONTAINED_TEXT, points: 1, reason: 'it returns content that may come from others' },
  { label: 'source', feature: 'verb', words: READS, points: 1, reason: 'its name suggests that it reads data' },
  { label: 'source', feature: 'verb', words: words('scrape crawl extract fetch browse research'), points: 1, reason: 'its name suggests that it collects text' },
  { label: 'source', feature: 'verb', words: FACT_VERBS, points: -2, reason: 'it returns a fact' },
  { label: 'source', feature: 'argument', words: words('=query =jql =cql'), points: 1, reason: 'it answers a free-form query' },
  { label: 'source', feature: 'argument', words: words('=url =urls =uri'), points: 1, reason: 'it reads from a URL that the caller chooses' },
  { label: 'source', feature: 'argument', words: words('command sql'), points: 2, reason: 'it returns the output of a command or a query' },
  { label: 'source', feature: 'verb', words: CHANGES, points: -4, reason: 'its name suggests that it changes data' },
  { label: 'source', feature: 'verb', words: SENDS, points: -4, reason: 'its name suggests that it sends data' },
  { label: 'source', feature: 'verb', words: PAYS, points: -4, reason: 'its name suggests that it moves money' },
  { label: 'source', feature: 'verb', words: OPERATES, points: -4, reason: 'its name suggests that it controls a page or a screen' },
  { label: 'source', feature: 'verb', words: COMPUTES, points: -3, reason: 'its name suggests that it only computes a value' },
  { label: 'source', feature: 'head', words: PLAIN_FACTS, points: -2, reason: 'it returns facts without free text' },

  { label: 'private', feature: 'verb', words: READS, points: 1, reason: 'its name suggests that it reads data' },
  { label: 'private', feature: 'object', words: PRIVATE_THINGS, points: 1, reason: 'it reads non-public data' },
  { label: 'private', feature: 'object', words: PUBLIC_THINGS, points: -3, reason: 'it reads public data' },
  { label: 'private', feature: 'argument', words: PRIVATE_PLACES, points: 1, reason: 'an argument selects a location in a private store' },
  { label: 'private', feature: 'argument', words: words('=url =urls =uri =website'), points: -2, reason: 'it reads from a URL that the caller chooses' },
  { label: 'private', feature: 'argument', words: words('command sql'), points: 3, reason: 'it runs on the machine or database of the user' },
  { label: 'private', feature: 'server', words: words('changes'), points: 0.5, reason: 'its server also changes data, so the data probably belongs to the user' },
  { label: 'private', feature: 'server', words: words('reads-only'), points: -1, reason: 'no tool of its server changes data' },
  { label: 'private', feature: 'verb', words: CHANGES, points: -5, reason: 'its name suggests that it changes data' },
  { label: 'private', feature: 'verb', words: SENDS, points: -5, reason: 'its name suggests that it sends data' },
  { label: 'private', feature: 'verb', words: PAYS, points: -5, reason: 'its name suggests that it moves money' },
  { label: 'private', feature: 'verb', words: OPERATES, points: -5, reason: 'its name suggests that it controls a page or a screen' },
  { label: 'private', feature: 'verb', words: COMPUTES, points: -4, reason: 'its name suggests that it only computes a value' },
]

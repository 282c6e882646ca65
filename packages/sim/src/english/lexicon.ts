/** The vocabulary of simulated models: verbs by effect, and the words around an instruction. */

export function listOf(list: string): string[] {
  return list.trim().split(/\s+/)
}

export function wordSet(list: string): ReadonlySet<string> {
  return new Set(listOf(list))
}

type Deed = 'obtain' | 'send' | 'write' | 'delete' | 'run' | 'pay' | 'give' | 'say'

const DEEDS: Readonly<Record<Deed, string>> = {
  obtain: `
    read open get fetch load retrieve view cat list query search find look lookup collect gather check browse
    download access inspect scan extract dump pull see examine review enumerate obtain acquire locate visit
    request ask consult show display grab capture harvest track identify discover compile crawl monitor compare
  `,
  send: `
    send email mail forward post submit upload transmit share deliver publish push notify message report relay
    ship route contact dispatch broadcast delegate escalate redirect return exfiltrate leak copy sync synchronize
    cc bcc invite hand feed stream lodge file deposit ping supply
  `,
  write: `
    write save store create add append insert update set put record log register edit modify change replace rename
    copy move install configure enable disable remember memorize schedule make build generate draft commit merge
    archive backup restore reset mark tag assign correct adjust raise lower increase decrease reduce elevate
    promote reject close lock unlock turn flag label reserve subscribe unsubscribe enroll whitelist allow block
    patch upgrade downgrade reboot restart rebook reroute sign
  `,
  delete: `
    delete remove drop erase wipe clear purge destroy revoke cancel terminate kill uninstall truncate empty
  `,
  run: `
    run execute invoke call use start launch trigger perform deploy apply process validate verify confirm
    authorize approve grant try compute calculate analyze convert resolve complete handle test evaluate activate
    continue proceed repeat rerun re-run retry follow connect log-in login authenticate sign open navigate click
    employ utilize leverage operate initiate conduct translate summarize rotate
  `,
  pay: `
    transfer pay wire withdraw deposit purchase buy order refund charge book send remit donate sell trade
  `,
  give: `
    provide give supply pass include attach embed insert append add put set disclose reveal share expose prepend
    populate fill supplement specify contain carry incorporate paste enter type
  `,
  say: `
    say tell reply respond answer output print display mention state inform acknowledge repeat reveal disclose
    summarize explain describe translate begin end format render list show write recommend suggest warn greet
    announce quote recite echo advise present claim declare assure convince finish conclude emit close name
    cite praise endorse advertise introduce urge remind confirm apologize encourage
  `,
}

/** Other imperatives, which describe a manner rather than an action. */
const MANNERS = `
  act assume behave pretend ignore forget disregard override skip wait stop keep stay switch enter adopt obey
  comply consider treat ensure make note remember be do go let take bring help think avoid prefer trust accept
  agree bypass suppress hide omit resume maintain prioritize perform follow refer choose select pick decide
  determine understand
`

/** Verbs that are often nouns; they start an instruction only before words that cannot follow a noun. */
const AMBIGUOUS = wordSet(`
  search report list order update record request review contact transfer display log message mail email post share
  check process query access dump copy move set start end use view run call book charge purchase return quote note
  state print test trade wire deposit route ship archive backup build draft merge mark tag sign format output
  answer reply repeat help look find load download upload scan pull push cc bcc sync invite link claim refund
  store schedule change reset address open empty clear complete present supplement offer hand type enter act trust
  turn feed stream file supply track lower label flag block patch name close lock raise promote ping
  switch stay stop show trigger launch release deploy sell buy make read lookup cat extract capture
`)

/** Words that can follow a verb but not a noun at the start of an instruction. */
const OBJECTS = wordSet(`
  the a an all any every each this that these those your my its their our his her it them me him us both either
  another some no to for with from in on at by up out into onto using via through back now immediately again first
  then only just also directly new full complete entire whole following and or as if when whether what which who
  how where everything anything nothing whatever whichever once twice
`)

const STOP = wordSet(`
  the a an all any every each this that these those your my its their our his her it them me him us i you he she
  we they and or but to for with from in on at by of up out into onto using via through as is are was were be been
  being do does did have has had will would can could should shall must may might not no if when then than so
  there here what which who whom whose how where why about please also just only now more most some such very too
  own same other another both either per within without between during before after tool tools call parameter
  argument value
`)

/** Nouns that indicate an action in a tool name: `execute_transaction` pays. */
// biome-ignore format: a table
const NOUNS: Readonly<Record<string, Deed>> = {
  transaction: 'pay', payment: 'pay', transfer: 'pay', purchase: 'pay', refund: 'pay', invoice: 'pay', money: 'pay', funds: 'pay',
  email: 'send', mail: 'send', message: 'send', notification: 'send', webhook: 'send', sms: 'send', chat: 'send', webhooks: 'send',
  search: 'obtain', lookup: 'obtain', query: 'obtain', reader: 'obtain', fetcher: 'obtain', memory: 'write', notes: 'write',
}

const BY_VERB = new Map<string, Set<Deed>>()
for (const [deed, verbs] of Object.entries(DEEDS)) {
  for (const verb of listOf(verbs)) {
    BY_VERB.set(verb, (BY_VERB.get(verb) ?? new Set()).add(deed as Deed))
  }
}
const VERBS = new Set([...BY_VERB.keys(), ...listOf(MANNERS)])

/** All verbs, longest first, because typos omit letters more often than they replace them. */
export const verbs: readonly string[] = [...VERBS].sort((a, b) => b.length - a.length)

export const isVerb = (word: string): boolean => VERBS.has(anew(word))

export const isAmbiguous = (word: string): boolean => AMBIGUOUS.has(anew(word))

/** Returns the verb in words such as `re-send` and `resubmit`; returns other words unchanged. */
function anew(word: string): string {
  if (VERBS.has(word)) return word
  const verb = /^re-?([a-z]{4,})$/.exec(word)?.[1] ?? word
  return VERBS.has(verb) ? verb : word
}

/** True if a word can follow a verb but not a noun. */
export const takesVerb = (word: string): boolean => OBJECTS.has(word)

export const isStop = (word: string): boolean => STOP.has(word)

export const does = (verb: string, deed: Deed): boolean => BY_VERB.get(anew(verb))?.has(deed) === true

/** True if a verb has an effect in common with a word in a tool's name. */
export function sameAction(verb: string, word: string): boolean {
  const noun = Object.hasOwn(NOUNS, word) ? NOUNS[word] : undefined
  if (noun !== undefined && does(verb, noun)) return true
  return [...(BY_VERB.get(anew(word)) ?? [])].some((deed) => does(verb, deed))
}

/**
 * The order in which the server of a mailbox is looked for, as a pure machine: a step is to be made, its outcome gives the
 * next state. What may be asked with a password is decided in `trust.ts`.
 *
 *   https://DOMAIN ─▶ https://autodiscover.DOMAIN ─▶ http://autodiscover.DOMAIN (GET, no password) ─▶ SRV ─▶ nothing
 *        │  a server may send on to another address of a service (at once), or to another address of mail (all anew)
 *        └─ settings ─▶ found;  refused password ─▶ ended: further tries would only lock the account
 */
import type { ApiError } from '@waypost/platform/api-error'
import { domainOf } from '../../shared/domain-hosts.ts'
import type { DiscoveryAnswer, DiscoveryFormat } from './answers.ts'
import { discoveryPaths, judgeHeard, judgeHeardUrl, judgeNamed, type Verdict } from './trust.ts'

export type Step =
  | { kind: 'ask'; url: string; format: DiscoveryFormat }
  /** A GET without credentials. */
  | { kind: 'redirect'; url: string }
  | { kind: 'records'; name: string }

/** Why a host could not be reached. */
export type Unreached = 'certificate' | 'unreachable'

export type Outcome =
  | { kind: 'answered'; answer: DiscoveryAnswer }
  | { kind: 'redirected'; location: string }
  /** The password or the account was refused. */
  | { kind: 'denied'; refusal: ApiError }
  | { kind: 'records'; host: string; port: number }
  | { kind: 'nothing' }
  | { kind: Unreached }

export interface Search {
  readonly kind: 'searching'
  readonly address: string
  readonly domain: string
  readonly steps: readonly Step[]
  readonly requested: ReadonlySet<string>
  readonly addresses: ReadonlySet<string>
  readonly hops: number
  readonly noted: SearchNotes
}

/** Facts found on the way, which explain why nothing was found. */
export interface SearchNotes {
  /** A host that was named by an untrusted source. */
  readonly foreign?: string | undefined
  readonly cloud?: string | undefined
  /** A host without a valid certificate. */
  readonly certificate?: string | undefined
  /** A host that exists and could not answer. */
  readonly busy?: string | undefined
  readonly unknown?: string | undefined
}

export type FoundServer = { kind: 'found'; ewsUrls: readonly string[]; displayName: string | undefined }
export type Ended =
  | FoundServer
  | { kind: 'denied'; refusal: ApiError }
  | { kind: 'cloud' }
  | { kind: 'lost'; domain: string; noted: SearchNotes }

/** As many as Microsoft's own clients follow. */
const maxHops = 10

const ask = (host: string): Step => ({ kind: 'ask', url: `https://${host}${discoveryPaths.pox}`, format: 'pox' })

const stepsFor = (domain: string): Step[] => [
  ask(domain),
  ask(`autodiscover.${domain}`),
  { kind: 'redirect', url: `http://autodiscover.${domain}${discoveryPaths.pox}` },
  { kind: 'records', name: `_autodiscover._tcp.${domain}` },
]

/** Starts the search for the server of an address; undefined if the address has no domain. */
export function beginSearch(address: string): Search | undefined {
  const domain = domainOf(address)
  return domain === undefined ? undefined : searchIn(address, domain, stepsFor(domain))
}

/** The same at a single host that the user named. */
export const beginSearchAt = (origin: string, address: string): Search =>
  searchIn(address, domainOf(address) ?? '', [
    { kind: 'ask', url: new URL(discoveryPaths.pox, origin).href, format: 'pox' },
  ])

const searchIn = (address: string, domain: string, steps: readonly Step[]): Search => ({
  kind: 'searching',
  address,
  domain,
  steps,
  requested: new Set(),
  addresses: new Set([address.toLowerCase()]),
  hops: 0,
  noted: {},
})

/** The state after the outcome of the first step. */
export function advance(search: Search, outcome: Outcome): Search | Ended {
  const [step, ...rest] = search.steps
  if (!step) return endSearch(search)
  const left: Search = { ...search, steps: rest, requested: new Set([...search.requested, keyOf(step)]) }
  const next = step.kind === 'ask' ? afterRequest(left, step, outcome) : afterHearing(left, step, outcome)
  return next.kind === 'searching' && next.steps.length === 0 ? endSearch(next) : next
}

/** The result of a search that is not continued. */
export function endSearch({ domain, noted }: Search): Ended {
  // An untrusted source may have said so, but it is useful if nothing else was found.
  return noted.cloud === undefined ? { kind: 'lost', domain, noted } : { kind: 'cloud' }
}

function afterRequest(search: Search, step: Step & { kind: 'ask' }, outcome: Outcome): Search | Ended {
  const host = new URL(step.url).hostname
  switch (outcome.kind) {
    case 'denied':
      return outcome
    case 'redirected':
      return resume(search, judgeNamed(outcome.location, step.url))
    case 'certificate':
      return note(search, { certificate: host })
    case 'answered':
      return afterAnswer(search, step, outcome.answer)
    default:
      return search
  }
}

function afterAnswer(search: Search, step: Step & { kind: 'ask' }, answer: DiscoveryAnswer): Search | Ended {
  const host = new URL(step.url).hostname
  switch (answer.kind) {
    case 'settings':
      return settle(search, step, answer)
    case 'redirect url':
      return resume(search, judgeNamed(answer.url, step.url))
    case 'redirect address':
      return restartSearch(search, answer.address)
    case 'busy':
      return note(search, { busy: host })
    case 'error':
      return otherFormat(note(search, { unknown: host }), step)
    default:
      return search
  }
}

/** The usable URLs of an answer. If it has none, the other format of the service may have some. */
function settle(
  search: Search,
  step: Step & { kind: 'ask' },
  { ewsUrls, displayName }: { ewsUrls: readonly string[]; displayName: string | undefined },
): Search | Ended {
  const verdicts = ewsUrls.map((url) => judgeNamed(url))
  const usable = verdicts.flatMap((verdict) => ('url' in verdict ? [verdict.url] : []))
  if (usable.length > 0) return { kind: 'found', ewsUrls: usable, displayName }
  if (verdicts.some((verdict) => 'refused' in verdict && verdict.refused === 'cloud')) return { kind: 'cloud' }
  return otherFormat(note(search, { unknown: new URL(step.url).hostname }), step)
}

/** The SOAP service next to one that could not answer. */
function otherFormat(search: Search, { url, format }: Step & { kind: 'ask' }): Search | Ended {
  if (format === 'soap') return search
  const { origin, pathname } = new URL(url)
  const path = /\.xml$/i.test(pathname) ? pathname.replace(/\.xml$/i, '.svc') : discoveryPaths.soap
  return first(search, { kind: 'ask', url: `${origin}${path}`, format: 'soap' })
}

function afterHearing(search: Search, step: Step, outcome: Outcome): Search | Ended {
  if (outcome.kind === 'redirected' && step.kind === 'redirect') {
    return resume(search, judgeHeardUrl(outcome.location, step.url, search.domain))
  }
  if (outcome.kind === 'records') return resume(search, judgeHeard(outcome, search.domain))
  return search
}

/** Continues at a named URL, if it is trusted. */
function resume(search: Search, verdict: Verdict): Search | Ended {
  if ('url' in verdict) {
    const format = /\.svc$/i.test(new URL(verdict.url).pathname) ? 'soap' : 'pox'
    return first({ ...search, hops: search.hops + 1 }, { kind: 'ask', url: verdict.url, format })
  }
  if (verdict.refused === 'malformed') return search
  return note(search, verdict.refused === 'cloud' ? { cloud: verdict.host } : { foreign: verdict.host })
}

/** A server said that the mailbox has another address, so the search restarts with it. */
function restartSearch(search: Search, address: string): Search | Ended {
  const domain = domainOf(address)
  const key = address.toLowerCase()
  if (domain === undefined || search.addresses.has(key) || search.hops >= maxHops) return search
  const verdict = judgeNamed(`https://${domain}/`)
  if ('refused' in verdict) return resume(search, verdict)
  // The same server may know the other address.
  const anew = { ...searchIn(address, domain, stepsFor(domain)), noted: search.noted, hops: search.hops + 1 }
  return { ...anew, addresses: new Set([...search.addresses, key]) }
}

/** A server that was already asked is skipped: it would answer the same again. */
function first(search: Search, step: Step): Search {
  if (isRequested(search, step) || search.hops > maxHops) return search
  const others = search.steps.filter((other) => keyOf(other) !== keyOf(step))
  return { ...search, steps: [step, ...others] }
}

const keyOf = (step: Step): string =>
  step.kind === 'records' ? `records ${step.name}` : `${step.kind} ${step.url.toLowerCase()}`
const isRequested = (search: Search, step: Step): boolean => search.requested.has(keyOf(step))

const note = (search: Search, noted: SearchNotes): Search => ({ ...search, noted: { ...noted, ...search.noted } })

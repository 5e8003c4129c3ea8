/** Sends a list of requests to one account. Each request may use ids that answers before it gave. */
import { vi } from 'vitest'
import { type Call, expectStatus, type Json, search } from '../conformance/accounts.ts'
import type { Answer } from '../harness.ts'
import type { KindAccount } from './kinds.ts'
import { dateOf, letters, sourceOf } from './mailbox.ts'

/** One request, for all kinds alike. `{name}` stands for an id. */
export interface Ask {
  /** What the request is, in words; no two are the same. */
  name: string
  /** Method and path below the grant, with the query. */
  call: string
  body?: Json
  /** Names for ids that stand in the answer: a path within `data`. */
  keep?: Record<string, string>
  /** Of a list, only the items whose name or title starts with this are compared. */
  only?: string
  /** Lists without a promised order are compared in the order of this field. */
  sorted?: string
}

/** Requests that follow each other; lists run beside each other. */
export type AskList = readonly Ask[]

export interface Asked {
  ask: Ask
  /** Absent where an id is missing, because an earlier request failed. */
  answer?: Answer
}

/** Ids by their names. */
export type Names = Map<string, string>

export async function runList(call: Call, account: KindAccount, list: AskList, names: Names): Promise<Asked[]> {
  const requested: Asked[] = []
  for (const ask of list) {
    const target = fill(ask.call, names, encodeURIComponent)
    const body = ask.body === undefined ? undefined : fill(JSON.stringify(ask.body), names, (text) => text)
    if (target === undefined || (ask.body !== undefined && body === undefined)) {
      requested.push({ ask })
      continue
    }
    const [method = '', path = ''] = target.split(' ')
    const request = () => call(method, `/v3/grants/${account.grantId}${path}`, body === undefined ? {} : { body })
    let answer = await request()
    for (let tries = 1; tries < 5 && isSentWithoutCopy(ask, answer); tries++) {
      await removeCopy(call, account, answer.body.data.id)
      answer = await request()
    }
    for (const [name, place] of Object.entries(ask.keep ?? {})) {
      const value = place.split('.').reduce((each, step) => each?.[step], answer.body?.data)
      if (typeof value === 'string') names.set(name, value)
    }
    requested.push({ ask, answer })
  }
  return requested
}

/** A busy server may file the sent copy later than the request waits for it. That is no difference between kinds. */
const isSentWithoutCopy = ({ call }: Ask, { status, body }: Answer): boolean =>
  call === 'POST /messages/send' && status === 200 && !body?.data?.folders?.length

/** Removes the copy of a message that is sent once more, so that the account has one of them. */
async function removeCopy(call: Call, account: KindAccount, id: string): Promise<void> {
  const path = `/v3/grants/${account.grantId}/messages/${encodeURIComponent(id)}`
  await vi.waitFor(async () => expectStatus(await call('GET', path), 200), { timeout: 60_000, interval: 100 })
  expectStatus(await call('DELETE', `${path}?hard_delete=true`), 200)
}

/** Puts ids in the place of their names; undefined where one is not known. */
function fill(text: string, names: Names, write: (value: string) => string): string | undefined {
  let isComplete = true
  const filled = text.replaceAll(/\{([a-z][\w.]*)\}/g, (_, name: string) => {
    const value = names.get(name)
    if (value === undefined) isComplete = false
    return write(value ?? '')
  })
  return isComplete ? filled : undefined
}

const places = { inbox: '\\Inbox', sent: '\\Sent', drafts: '\\Drafts', trash: '\\Trash', junk: '\\Junk' }

/** Delivers the mail and names what the account has before the first request. */
export async function prepare(call: Call, account: KindAccount): Promise<Names> {
  const names: Names = new Map([['email', account.email]])
  const get = async (path: string): Promise<Json> =>
    expectStatus(await call('GET', `/v3/grants/${account.grantId}${path}`), 200).body.data
  if (!account.deliver) return names
  for (const letter of Object.values(letters)) {
    const { place = 'inbox', seen = false, starred = false } = letter
    await account.deliver({ place, seen, starred, source: sourceOf(letter), date: dateOf(letter) })
  }
  for (const folder of await get('/folders?limit=200')) {
    const place = Object.entries(places).find(([, attribute]) => folder.attributes?.includes(attribute))
    if (place) names.set(place[0], folder.id)
  }
  const messages = await get(`/messages?${search({ limit: 50, fields: 'include_basic_headers' })}`)
  for (const [name, { fields }] of Object.entries(letters)) {
    const message = messages.find(({ headers }: Json) =>
      headers.some((header: Json) => /^message-id$/i.test(header.name) && header.value === `<${fields.messageId}>`),
    )
    if (message === undefined) throw new Error(`${account.name} does not list ${name}`)
    names.set(name, message.id).set(`${name}.thread`, message.thread_id)
    for (const [index, file] of message.attachments.entries()) names.set(`${name}.file${index}`, file.id)
  }
  return names
}

/** What differs between the simulated providers in the suites of sending, errors, calls and shared mailboxes. */
import type { Call, FaultMatch } from '../../../simulators/src/index.ts'
import { identity as googleIdentity, scope } from '../peers/google.ts'
import { identity as microsoftIdentity } from '../peers/microsoft.ts'

/** The next matching calls, and how they fail. */
export type Fault = readonly [FaultMatch, Readonly<Record<string, unknown>>]

interface SimulatedMailbox {
  list(): readonly { id: string }[]
  deliver(source: string): { id: string }
  remove(id: string): void
}

/** A simulator, whichever provider it simulates. */
export interface Simulated {
  readonly calls: Call[]
  clearCalls(): void
  fail(match: FaultMatch, failure: object): void
  account(email: string): { mail: SimulatedMailbox; shareWith?(email: string): void }
}

export interface MailTable {
  /** Its column in `expectedCalls`. */
  column: 1 | 2 | 3
  /** Names of calls, as in `expectedCalls`. Calls of other APIs have none. */
  nameOf(call: Call): string | undefined
  /** The request that sends a message. */
  sends: string
  /** A refusal of that request, the status of the answer, and words of its message. */
  refusals: readonly (readonly [Fault, number, RegExp])[]
  /** It is called too often, and tells to wait for a minute. */
  sendingThrottled: Fault
  /** Reading is called too often, and tells to wait for 7 seconds. */
  readingThrottled: Fault
  /** Each of them is retried. */
  transient: readonly Fault[]
  /** Absent if scopes do not tell sending from reading. */
  scopes?: { sending: readonly string[]; reading: readonly string[]; missing: string; tellsId?: true }
  /** Mailboxes can be shared. The status of reading one of their messages without their address. */
  sharing?: 200 | 404
  /** The quota units of a call, if they are told. */
  unitsOf?(name: string): number
}

/** Ids are left out of paths. */
const named = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/\/[^/]*[\d=][^/]*/g, '/*').replace(/^labels\/.+/, 'labels/*')}`

/** What Google publishes. */
const googleUnits: Readonly<Record<string, number>> = {
  'POST messages/send': 100,
  'GET messages': 5,
  'GET messages/*': 5,
  'GET messages/*/attachments/*': 5,
  'POST messages/*/modify': 5,
  'POST messages/*/trash': 5,
  'GET threads': 10,
  'GET threads/*': 10,
  'POST threads/*/modify': 10,
  'GET drafts/*': 5,
  'DELETE drafts/*': 10,
  'POST drafts': 10,
  'PUT drafts/*': 15,
  'GET labels': 1,
  'GET labels/*': 1,
  'POST labels': 5,
}

const googleSend = { path: /messages\/send$/ }
export const googleTable: MailTable = {
  column: 1,
  nameOf({ method, path }) {
    const [, rest] = /^(?:\/upload)?\/gmail\/v1\/users\/me\/(.*)$/.exec(path) ?? []
    return path === '/batch/gmail/v1' ? 'batch' : rest === undefined ? undefined : named(method, rest)
  },
  sends: 'POST messages/send',
  refusals: [
    [[googleSend, { status: 400, reason: 'invalidArgument', message: 'Invalid To header' }], 402, /Invalid To header/],
  ],
  sendingThrottled: [googleSend, { status: 429, reason: 'rateLimitExceeded', retryAfter: 60 }],
  readingThrottled: [{ path: /\/messages$/ }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 7 }],
  transient: [
    [{ path: /\/messages$/ }, { status: 503, reason: 'backendError' }],
    [{ path: /\/messages\/[0-9a-f]+$/ }, { status: 403, reason: 'userRateLimitExceeded' }],
    [{ path: '/batch/gmail/v1' }, { drop: 'before' }],
  ],
  scopes: {
    sending: [...googleIdentity, scope('gmail.send')],
    reading: [...googleIdentity, scope('gmail.readonly')],
    missing: 'gmail.send',
    tellsId: true,
  },
  unitsOf(name) {
    const units = googleUnits[name]
    if (units === undefined) throw new Error(`no published price of ${name}`)
    return units
  },
}

const graphSend = { path: /sendMail$/ }
const invalidRecipients = { status: 400, code: 'ErrorInvalidRecipients', message: 'At least one is not valid' }
export const microsoftTable: MailTable = {
  column: 2,
  nameOf({ method, path }) {
    const [, rest] = /^\/v1\.0\/(?:me\/)?(.*)$/.exec(path) ?? []
    return rest === '$batch' ? 'batch' : rest === undefined ? undefined : named(method, rest)
  },
  sharing: 404,
  sends: 'POST sendMail',
  refusals: [[[graphSend, invalidRecipients], 402, /At least one is not valid/]],
  sendingThrottled: [graphSend, { status: 429, code: 'ApplicationThrottled', retryAfter: 60 }],
  readingThrottled: [{ path: /\/messages$/ }, { status: 429, code: 'ApplicationThrottled', retryAfter: 7 }],
  transient: [[{ path: /\/messages$/ }, { status: 503, code: 'serviceNotAvailable' }]],
  scopes: {
    sending: [...microsoftIdentity, 'Mail.Send'],
    reading: [...microsoftIdentity, 'Mail.Read'],
    missing: 'Mail.Send',
  },
}

const exchangeRefusal = (code: string): Fault => [
  { operation: 'CreateItem' },
  { status: 200, code, message: 'No such recipient' },
]
const busy = (backOffMilliseconds: number) => ({ status: 500, code: 'ErrorServerBusy', backOffMilliseconds })
export const exchangeTable: MailTable = {
  column: 3,
  nameOf: ({ operation }) => operation,
  sharing: 200,
  sends: 'CreateItem',
  refusals: [
    [exchangeRefusal('ErrorSendAsDenied'), 402, /in the name of that address/],
    [exchangeRefusal('ErrorInvalidRecipients'), 402, /No such recipient/],
    [exchangeRefusal('ErrorMessageSizeExceeded'), 402, /larger than Exchange takes/],
    // The user can send it after making room.
    [exchangeRefusal('ErrorQuotaExceeded'), 503, /full/],
  ],
  sendingThrottled: [{ operation: 'CreateItem' }, busy(60_000)],
  readingThrottled: [{ operation: 'FindFolder' }, busy(7_000)],
  transient: [
    [{ operation: 'FindFolder' }, { status: 200, code: 'ErrorInternalServerTransientError' }],
    [{ operation: 'GetItem' }, { drop: 'before' }],
  ],
}

/**
 * What a request takes: name | Google | Microsoft | Exchange. The calls of a batch are one, and ids are stars. After a
 * dash, Waypost calls the provider while and after it answers.
 */
export const expectedCalls = `
a page of messages | GET messages, batch | GET messages | FindFolder, FindItem, GetItem
the next page | GET messages, batch | GET messages | FindItem, GetItem
a page of a folder | GET messages, batch | GET mailFolders/*/messages | FindItem, GetItem
the ids of a page of a folder | GET messages | GET mailFolders/*/messages | FindItem
a page with headers | GET messages, batch | GET messages | FindFolder, FindItem, GetItem
a page with a retry | GET messages, GET messages, batch | GET messages, GET messages | FindFolder, FindFolder, FindItem, GetItem
a message | GET messages/* | GET messages/* | GetItem
a missing message | GET messages/* | GET messages/* | GetItem
marking a message | GET messages/*, POST messages/*/modify | GET messages/*, PATCH messages/* | GetItem, UpdateItem
a page of threads | GET threads, batch | GET messages, batch, batch | FindFolder, FindItem, GetConversationItems, GetItem, GetItem
a thread | GET threads/* | batch, batch | GetConversationItems, GetItem, GetItem
marking a thread | GET threads/*, POST threads/*/modify | batch, PATCH messages/*, batch | GetConversationItems, GetItem, UpdateItem, GetItem
the folders | GET labels, batch | GET mailFolders | FindFolder
a new folder | POST labels | POST mailFolders | CreateFolder
an attachment | GET messages/* | GET messages/* | GetItem
a download | GET messages/*, GET messages/*/attachments/* | GET messages/*, GET messages/*/attachments/*/$value | -
deleting a message | POST messages/*/trash | GET messages/*, POST messages/*/move | GetItem, MoveItem
a new draft | POST drafts, GET drafts/* | POST messages, GET messages/* | CreateItem, GetItem
a draft | GET drafts/* | GET messages/* | GetItem
changing a draft | GET drafts/*, GET drafts/*, PUT drafts/*, GET drafts/* | GET messages/*, GET messages/*/$value, GET messages/*, PATCH messages/*, GET messages/* | GetItem, GetItem, UpdateItem, GetItem
sending a draft | GET drafts/*, POST messages/send, GET messages/*, DELETE drafts/* | - | -
sending | POST messages/send, GET messages/* | - | -
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))

/** Detects that the selected folder changed while other commands run. */
import type { ImapFlow } from 'imapflow'
import { isFetching } from './fast-responses.ts'
import { internals } from './internals.ts'
import type { Response } from './response-parser.ts'

export interface NewsListener {
  /** Whether the server has reported a change of the selected folder since the listener was added. */
  readonly hasNews: boolean
  stop(): void
}

/** `fetched` are the UIDs in a running FETCH: its responses contain their flags, so those are not news. */
export function listenForNews(client: ImapFlow, fetched: ReadonlySet<number> | undefined): NewsListener {
  const inside = internals(client)
  const handle = inside.handleResponse
  // Without access to responses the server may have reported anything.
  if (!handle) return { hasNews: true, stop: () => undefined }
  let hasNews = false
  inside.handleResponse = (response) => {
    hasNews ||= isNews(client, response, fetched)
    return handle.call(client, response)
  }
  return {
    get hasNews() {
      return hasNews
    },
    stop: () => {
      inside.handleResponse = handle
    },
  }
}

const change = /^\* (?:(\d{1,10}) )?(EXISTS|EXPUNGE|FETCH|VANISHED)\b/i
const uid = /[ (]UID (\d{1,10})[ )]/i

function isNews(client: ImapFlow, { payload }: Response, fetched: ReadonlySet<number> | undefined): boolean {
  const { mailbox } = client
  const text = payload.toString('latin1', 0, 1_000)
  const [, number, kind] = change.exec(text) ?? []
  if (kind === undefined) return false
  // Some servers repeat EXISTS with an unchanged number.
  if (/exists/i.test(kind)) return !mailbox || mailbox.exists !== Number(number)
  // After the FETCH has ended, flags of its messages are news too.
  return !(/fetch/i.test(kind) && isFetching(client) && fetched?.has(Number(uid.exec(text)?.[1])))
}

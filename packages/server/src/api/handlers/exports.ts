/** Exports: pages of mail, events and contacts as files. */

import { checkLimits } from '@waypost/providers/limits'
import type { ExportedAccount } from '../../exports/account.ts'
import { contactPage, type ExportPage, eventPage, messagePage } from '../../exports/export-pages.ts'
import type { Services } from '../../services/services.ts'
import { tellIgnored } from '../http/ignored-fields.ts'
import type { FilePage, Handlers } from '../pipeline/handler-types.ts'
import { reachOf } from '../pipeline/request-operations.ts'

type Context = Parameters<Handlers['messages' | 'events' | 'contacts']['export']>[0]

/** Names of skipped objects in a header: as many as proxies accept. */
const maxNamed = 50

/** Exports of each resource. Filters have the limits of the operation that reads the page. */
export const exportsOf = ({
  storage: { database, clock },
  accounts: { sessions },
}: Pick<Services, 'storage' | 'accounts'>) => {
  const begin = (context: Context, operation: string): { account: ExportedAccount; stop: AbortController } => {
    const { grant, application, responseHeaders, requestId, query, calls } = context
    tellIgnored(
      responseHeaders,
      checkLimits(sessions.providerOf(grant, operation), operation, { query, body: undefined }),
    )
    const stop = new AbortController()
    const use = { queries: database, responseHeaders, requestId, calls, reach: reachOf(application) }
    return { account: { sessions, record: grant, use, signal: AbortSignal.any([context.signal, stop.signal]) }, stop }
  }

  const messages: Handlers['messages']['export'] = async (context) => {
    const { account, stop } = begin(context, 'messages.list')
    return fileOf(await messagePage(account, context.query, context.position), stop, context)
  }
  const events: Handlers['events']['export'] = async (context) => {
    const { account, stop } = begin(context, 'events.import')
    return fileOf(
      await eventPage(account, context.query, { position: context.position, now: clock.now() }),
      stop,
      context,
    )
  }
  const contacts: Handlers['contacts']['export'] = async (context) => {
    const { account, stop } = begin(context, 'contacts.list')
    const at = { position: context.position, now: clock.now() }
    return fileOf(await contactPage(account, context.query, at), stop, context)
  }
  return { messages, events, contacts }
}

function fileOf(page: ExportPage, stop: AbortController, { responseHeaders }: Context): FilePage {
  const { contentType, filename, next, skipped } = page
  if (skipped.length > 0) {
    const named = skipped.slice(0, maxNamed).map(({ id }) => encodeURIComponent(id.toWellFormed()))
    responseHeaders['x-skipped'] = [...named, ...(skipped.length > maxNamed ? ['...'] : [])].join(', ')
  }
  return { contentType, filename, content: streamOf(page.content, stop), ...(next === undefined ? {} : { next }) }
}

/** The bytes at the pace of the client. Canceling the stream also ends the call to the provider that is under way. */
function streamOf(content: AsyncIterable<Uint8Array>, stop: AbortController): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        stop.abort(reason)
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Subscribes applications to triggers that are sent only on request, and reads what they were notified of. */

import { type Listener, openListener } from '@waypost/testing/listener'
import { expectStatus, type Json } from '../conformance/accounts.ts'
import type { TestService } from '../harness.ts'

export interface Subscriber extends AsyncDisposable {
  /** Creates a destination of the application with this key. Returns its id. */
  subscribe(key: string, ...triggers: string[]): Promise<string>
  /** The objects of an application's notifications of a type, oldest first. */
  objects(key: string, type: string): Promise<Json[]>
}

export async function openSubscriber(service: Pick<TestService, 'call'>): Promise<Subscriber> {
  const listener: Listener = await openListener()
  let count = 0
  return {
    async subscribe(key, ...trigger_types) {
      const body = { webhook_url: `${listener.url}/${++count}`, trigger_types }
      return expectStatus(await service.call('POST', '/v3/webhooks', { key, body }), 200).body.data.id
    },
    async objects(key, type) {
      const { body } = await service.call('GET', '/v3/notifications?limit=200', { key })
      return body.data
        .filter((each: Json) => each.type === type)
        .map(({ data }: { data: { object: Json } }) => data.object)
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  }
}

/** An account whose data is exported: its operations, each with a deadline of its own. */

import { type JsonText, JsonText as Text } from '@waypost/platform/json/values'
import type { Operations } from '@waypost/providers/operations'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Sessions, Use } from '../grants/sessions.ts'

export interface ExportedAccount {
  sessions: Pick<Sessions, 'operation' | 'providerOf'>
  record: GrantRecord
  use: Pick<Use, 'queries' | 'responseHeaders' | 'reach' | 'requestId' | 'span' | 'calls'>
  /** Ends the export. */
  signal: AbortSignal
}

/** One call to the provider must end before the connection to the client counts as broken. */
const callMs = 50_000

type Call<F> = F extends (session: never, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never

/** An operation of the account. Calls of one operation must not overlap. */
export function operationOf<R extends keyof Operations<never>, O extends keyof Operations<never>[R] & string>(
  { sessions, record, use, signal }: ExportedAccount,
  resource: R,
  operation: O,
): Call<Operations<never>[R][O]> {
  let current = signal
  const bound = sessions.operation(record, { resource, operation }, { ...use, signal: () => current })
  const call = (...args: unknown[]): unknown => {
    current = AbortSignal.any([signal, AbortSignal.timeout(callMs)])
    return Reflect.apply(bound, undefined, args)
  }
  // The parameters and the result of the operation stay as they are.
  return call as Call<Operations<never>[R][O]>
}

/** An object of a page, which may still be JSON text. */
export const plain = <T>(item: T | JsonText<T>): T => (item instanceof Text ? JSON.parse(item.text) : item)

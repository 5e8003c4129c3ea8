/** Test notifications: the sample of a trigger, or an object given by the caller, which must fit the trigger. */

import {
  MessageHeadersObject,
  type Notification,
  type ShownTrigger,
  sampleNotification,
  type Trigger,
  triggers,
} from '@waypost/contract'
import { invalidFields } from '@waypost/platform/api-error'
import { fieldOf } from '@waypost/platform/json/values'
import type { z } from 'zod'
import { shownObject } from './envelope.ts'

/** No real delivery is signed with this secret, because the contract publishes it. */
export const testSecret = 'mock-webhook-secret'

/** Test events that are signed like real deliveries carry this source. */
const testSource = '/waypost/test'

const maxProblems = 20

function checkObject(trigger: ShownTrigger, object: object): void {
  const schema: z.ZodType = trigger.endsWith('.metadata') ? MessageHeadersObject : triggers[baseOf(trigger)].object
  const parsed = schema.safeParse(object)
  if (parsed.success) return
  // Fields that were left out of a truncated notification.
  const missing = (issue: z.core.$ZodIssue): boolean =>
    issue.path.length === 1 && fieldOf(object, String(issue.path[0])) === undefined
  const issues = parsed.error.issues.filter((issue) => !(trigger.endsWith('.truncated') && missing(issue)))
  if (issues.length === 0) return
  throw invalidFields(
    Object.fromEntries(
      issues.slice(0, maxProblems).map(({ path, message }) => [['object', ...path].join('.').slice(0, 200), message]),
    ),
  )
}

const baseOf = (trigger: ShownTrigger): Trigger => trigger.replace(/\.(?:truncated|metadata)$/, '') as Trigger

export function testNotification(
  { trigger, object, asReal }: { trigger: ShownTrigger; object: Record<string, unknown> | undefined; asReal: boolean },
  facts: { id: string; time: number; applicationId: string },
): Notification {
  const sample = sampleNotification(trigger, facts)
  const shown = object && shownObject({ trigger: baseOf(trigger), object })
  if (shown) checkObject(trigger, shown)
  return {
    ...sample,
    ...(asReal ? { source: testSource } : {}),
    data: { ...sample.data, ...(shown ? { object: { ...shown } } : {}) },
  }
}

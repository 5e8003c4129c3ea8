import { Trigger, typesOf } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { z } from 'zod'

/** The notification types of the named triggers; undefined for all. */
export function typesWanted(names: readonly string[] = []): string[] | undefined {
  const wanted = z.array(Trigger).safeParse(names)
  if (!wanted.success) throw invalidField('trigger_types', 'must be triggers that can be subscribed to')
  return wanted.data.length === 0 ? undefined : wanted.data.flatMap(typesOf)
}

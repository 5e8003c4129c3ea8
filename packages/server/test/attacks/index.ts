/** All attacks. */
import type { Attack } from './attack.ts'
import { contactAttacks } from './contacts.ts'
import { eventAttacks } from './events.ts'
import { deceptiveMails } from './mails-deceptive.ts'
import { plainMails } from './mails-plain.ts'
import { rightsMails } from './mails-rights.ts'

export const attacks: readonly Attack[] = [
  ...plainMails,
  ...deceptiveMails,
  ...rightsMails,
  ...eventAttacks,
  ...contactAttacks,
]

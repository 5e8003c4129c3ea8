/**
 * The tables of version 0.1.0, in one script: the oldest version whose stores this version opens. That version created
 * them by migrations, and the table `migrations` lists their numbers.
 */
import type { Engine } from '../engine/database.ts'
import { access, applications } from './baseline/applications.ts'
import { calendars, contacts } from './baseline/calendars-contacts.ts'
import { grantHistory, grants, signIn, watching } from './baseline/grants.ts'
import { administration, installation } from './baseline/installation.ts'
import { metadata, sending, tracking } from './baseline/mail.ts'
import { notifications } from './baseline/notifications.ts'

/** Each table comes after those that it refers to. */
export const baseline = (engine: Engine): string =>
  [
    installation,
    administration,
    applications(engine),
    access,
    grants,
    grantHistory,
    signIn,
    watching,
    calendars(engine),
    contacts(engine),
    sending,
    metadata,
    tracking,
    notifications(engine),
  ].join('')

/** The name of the baseline in lists of changes, and in the table `migrations`. */
export const baselineName = 'baseline'

/** Earlier versions expect each of these numbers in the table `migrations`. Some were never given. */
export const baselineNumbers: readonly number[] = Array.from({ length: 47 }, (_, at) => at + 1).filter(
  (number) => ![38, 39, 45, 46].includes(number),
)

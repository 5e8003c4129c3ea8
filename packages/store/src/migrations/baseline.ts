/**
 * The tables of version 0.1.0, in one script: the oldest version whose stores this version opens. That version created
 * them by migrations, and the table `migrations` lists their numbers.
 */
import type { Engine } from '../engine/database.ts'
import { access } from './baseline/access.ts'
import { administration } from './baseline/administration.ts'
import { applications } from './baseline/applications.ts'
import { calendars } from './baseline/calendars.ts'
import { contacts } from './baseline/contacts.ts'
import { grantHistory } from './baseline/grant-history.ts'
import { grants } from './baseline/grants.ts'
import { installation } from './baseline/installation.ts'
import { metadata } from './baseline/metadata.ts'
import { notifications } from './baseline/notifications.ts'
import { sending } from './baseline/sending.ts'
import { signIn } from './baseline/sign-in.ts'
import { tracking } from './baseline/tracking.ts'
import { watching } from './baseline/watching.ts'

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

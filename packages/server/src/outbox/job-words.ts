/** What jobs do, in plain words, and what helps when they fail. Pure. */
import type { JobKind } from '@waypost/store/tables/notifications/outbox'

interface JobWords {
  purpose: string
  remedy: string
}

const words: Readonly<Record<JobKind, JobWords>> = {
  'approvals.execute': {
    purpose: 'Carry out an approved action whose process was interrupted',
    remedy: 'Check that the account can be reached and that its grant is valid, then retry.',
  },
  'approvals.expire': {
    purpose: 'End an approval that nobody decided in time',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'approvals.mail': {
    purpose: 'Send a mail to the owner of an account about an action that waits for approval',
    remedy: 'Check that the store works with "waypost doctor", then retry. The action waits in the dashboard as well.',
  },
  'bookings.mail': {
    purpose: 'Send a mail about a booking to a guest or a host',
    remedy:
      "Check that the grant of the organizer is valid, or that the application has not used up its mails through the service's own identity today, then retry.",
  },
  'bookings.settle': {
    purpose: 'Complete an interrupted change of a booking in the calendar of its host',
    remedy: 'Check that the account of the host can be reached and that its grant is valid, then retry.',
  },
  'bookings.remove': {
    purpose: 'Remove the event of a cancelled or moved booking from the calendar of its host',
    remedy: 'Check that the grant of the host is valid and may change the calendar, then retry.',
  },
  'bookings.remind': {
    purpose: 'Notify the application of a booking that begins soon',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'calendars.remove': {
    purpose: 'Remove the events of a deleted calendar, and notify their guests',
    remedy: 'The calendar is already invisible. Retry when the cause is fixed: the removal continues where it stopped.',
  },
  'invitations.check': {
    purpose: 'Find out whether an interrupted change of an event was made, and notify its guests',
    remedy: 'Check that the account can be reached and that its grant is valid, then retry.',
  },
  'invitations.send': {
    purpose: 'Notify the guests of an event by mail from the account',
    remedy: 'Check that the grant is valid and that its mail server accepts mail, then retry.',
  },
  'itip.receive': {
    purpose: 'Apply an invitation, change or answer from a received mail to the calendar of the account',
    remedy: 'Check that the calendar of the account can be reached and that its grant is valid, then retry.',
  },
  'mail.send': {
    purpose: 'Send a mail of the service: to guests of virtual calendars, or a notice about the service',
    remedy: 'Check WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM with "waypost doctor", then retry.',
  },
  'provider.revoke': {
    purpose: "End the service's access at the provider after a grant was deleted",
    remedy:
      'Check that the provider can be reached and that the client secret of the connector is valid, then retry. Otherwise the user can remove the access in the settings of their account.',
  },
  'store.leftovers': {
    purpose: 'Delete remaining rows of a deleted grant or destination',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'workspaces.group': {
    purpose: 'Group the grants of an application into workspaces by the domain of their addresses',
    remedy: 'Check that the store works with "waypost doctor", then retry: the job continues where it stopped.',
  },
}

const others: JobWords = {
  purpose: 'A job of another version of Waypost',
  remedy: 'Retry it while a node of that version runs.',
}

/** The purpose and the remedy of a kind. A job may come from another version. */
export const wordsOfJob = (kind: string): JobWords => (Object.hasOwn(words, kind) ? words[kind as JobKind] : others)

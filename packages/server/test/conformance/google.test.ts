/** Mail accounts at the simulated Google, through the suites that every provider of mail passes. */
import { describeDrafts } from './drafts.ts'
import { googleSubject } from './google-subject.ts'
import { describeMail } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const google = sharedMail(googleSubject)
describeMail(google)
describeDrafts(google)

/** Mail accounts at the simulated Google, through the suites that every provider of mail passes. */
import { describeDrafts } from './drafts.ts'
import { googleSubject } from './google-subject.ts'
import { describeMail } from './mail.ts'

describeMail(googleSubject)
describeDrafts(googleSubject)

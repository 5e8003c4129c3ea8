/** Values shared by several examples: one application, one account, and its people. */
import { sampleGrant } from '../notification-samples.ts'

export {
  sampleBounce,
  sampleCalendar,
  sampleContact,
  sampleEvent,
  sampleFolder,
  sampleGrant,
  sampleMessage,
} from '../notification-samples.ts'

export const applicationId = '0f6a2c41-7be3-4f0d-9e58-c4d17b9a3025'
export const grantId = sampleGrant.grant_id
/** The grant of a virtual account, which has calendars without a mailbox. */
export const virtualGrantId = 'c2d84b17-63f9-4a05-b1e8-7d50f9a3162c'
export const requestId = '5d3f0c9e-81b7-4c26-a4f5-20e96b7d138a'

/** Parameters that examples can omit. */
export const givenParams: Readonly<Record<string, string>> = { grant_id: grantId, application_id: applicationId }

/** The sample person. */
export const personId = '5d2f9b74-0c8e-4a36-9b1d-e7f4a2c6830b'

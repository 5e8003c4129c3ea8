/** Meeting spaces of Google Meet (https://developers.google.com/workspace/meet/api/reference/rest/v2/spaces). */
import { object, text } from '@waypost/platform/json/reader'
import type { Conferences } from '../conferences.ts'
import type { Session } from './session.ts'

const space = object({ name: text, meetingUri: text }, { meetingCode: text })
const scopes = ['https://www.googleapis.com/auth/meetings.space.created']

/** A space has no title and no time. Google has no call that removes one. */
export const conferences: Conferences<Session> = {
  name: 'Google Meet',
  async create({ call }, { settings }) {
    const body = Object.keys(settings).length > 0 ? { config: settings } : {}
    const { name, meetingUri: url, meetingCode } = await call('meet', 'POST', 'spaces', { body, scopes, read: space })
    return { id: name, details: { url, ...(meetingCode ? { meeting_code: meetingCode } : {}) } }
  },
}

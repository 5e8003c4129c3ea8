/** Meetings (https://developers.zoom.us/docs/api/meetings/#tag/meetings/post/users/{userId}/meetings). */
import { object, text, wholeNumber } from '@waypost/platform/json/reader'
import { type Conferences, utcTime } from '../conferences.ts'
import { meetingScopes } from './scopes.ts'
import type { Session } from './session.ts'

const meeting = object({ id: wholeNumber, join_url: text }, { password: text })

const maxTopic = 200
/** With a time, and without one: people can join such a meeting at any time. */
const types = { scheduled: 2, noFixedTime: 3 }

const timesOf = (time: { start: number; end: number } | undefined) =>
  time === undefined
    ? { type: types.noFixedTime }
    : {
        type: types.scheduled,
        start_time: utcTime(time.start),
        duration: Math.max(1, Math.ceil((time.end - time.start) / 60)),
        timezone: 'UTC',
      }

export const conferences: Conferences<Session> = {
  name: 'Zoom Meeting',
  async create({ call }, { title, time, settings }) {
    const body = { ...(title === '' ? {} : { topic: title.slice(0, maxTopic) }), ...timesOf(time), settings }
    const options = { body, scopes: meetingScopes.create, read: meeting }
    const { id, join_url: url, password } = await call('POST', '/users/me/meetings', options)
    const details = { url, meeting_code: String(id), ...(password ? { password } : {}) }
    return { id: String(id), details }
  },
  remove: ({ execute }, id) =>
    execute('DELETE', `/meetings/${encodeURIComponent(id)}`, { scopes: meetingScopes.remove }),
}

/** Online meetings of Teams (https://learn.microsoft.com/graph/api/application-post-onlinemeetings). */
import { invalidField } from '@waypost/platform/api-error'
import { list, object, type Read, text } from '@waypost/platform/json/reader'
import { type Conferences, utcTime } from '../../conferences.ts'
import { mailboxPath, type Session } from '../session.ts'

const meeting = object(
  { id: text, joinWebUrl: text },
  {
    joinMeetingIdSettings: object({}, { joinMeetingId: text, passcode: text }),
    audioConferencing: object({}, { conferenceId: text, tollNumber: text, tollFreeNumbers: list(text) }),
  },
)
type OnlineMeeting = Read<typeof meeting>

const scopes = ['OnlineMeetings.ReadWrite']

/** Who organizes the meeting and which one it is; the title and the time are those of the event. */
const fixed = ['id', 'joinWebUrl', 'creationDateTime', 'participants', 'subject', 'startDateTime', 'endDateTime']

function detailsOf({ joinWebUrl: url, joinMeetingIdSettings, audioConferencing }: OnlineMeeting) {
  const { joinMeetingId, passcode } = joinMeetingIdSettings ?? {}
  const { conferenceId, tollNumber, tollFreeNumbers = [] } = audioConferencing ?? {}
  const phone = [...(tollNumber ? [tollNumber] : []), ...tollFreeNumbers]
  return {
    url,
    ...(joinMeetingId ? { meeting_code: joinMeetingId } : {}),
    ...(passcode ? { password: passcode } : {}),
    ...(conferenceId ? { pin: conferenceId } : {}),
    ...(phone.length > 0 ? { phone } : {}),
  }
}

export const conferences: Conferences<Session> = {
  name: 'Microsoft Teams',
  async create(session, { title, time, settings }) {
    const taken = Object.keys(settings).find((name) => fixed.includes(name))
    if (taken)
      throw invalidField(`conferencing.autocreate.conf_settings.${taken}`, 'cannot be set: it follows from the event')
    const times = time && { startDateTime: utcTime(time.start), endDateTime: utcTime(time.end) }
    const body = { ...settings, ...(title === '' ? {} : { subject: title }), ...times }
    const made = await session.call('POST', mailboxPath(session, 'onlineMeetings'), { body, scopes, read: meeting })
    return { id: made.id, details: detailsOf(made) }
  },
  remove: (session, id) =>
    session.execute('DELETE', mailboxPath(session, `onlineMeetings/${encodeURIComponent(id)}`), { scopes }),
}

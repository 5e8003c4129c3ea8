// Meetings of the simulated Zoom (https://developers.zoom.us/docs/api/meetings/).
import { randomInt, randomUUID } from 'node:crypto'
import { isObject, type JsonObject } from '../shared/http.ts'
import type { SimulatedZoomAccount } from './account.ts'

export interface SimulatedMeeting extends JsonObject {
  readonly id: number
  readonly uuid: string
  readonly host_id: string
  readonly join_url: string
  readonly password: string
  readonly created_at: string
  topic: string
  type: number
  settings: JsonObject
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export interface Meetings {
  create(host: SimulatedZoomAccount, fields: JsonObject): SimulatedMeeting
  /** Only meetings of the host are found. */
  find(host: SimulatedZoomAccount, id: string): SimulatedMeeting | undefined
  change(meeting: SimulatedMeeting, fields: JsonObject): void
  remove(meeting: SimulatedMeeting): void
  all(): SimulatedMeeting[]
}

/** Instant, scheduled, recurring without a fixed time, recurring with a fixed time, screen share only. */
const types: readonly unknown[] = [1, 2, 3, 8, 10]
const maxTopic = 200
const maxAgenda = 2000
const written = ['topic', 'type', 'start_time', 'duration', 'timezone', 'agenda', 'password'] as const

/** The problems of a body, as Zoom lists them in `errors`. */
export function problemsOf(fields: JsonObject): FieldProblem[] {
  const { topic, type, agenda, duration, start_time: start, settings } = fields
  const problems: FieldProblem[] = []
  const refuse = (field: string, message: string): void => void problems.push({ field, message })
  if (topic !== undefined && (typeof topic !== 'string' || topic.length > maxTopic)) {
    refuse('topic', `The value that you entered for the topic field cannot exceed ${maxTopic} characters.`)
  }
  if (agenda !== undefined && (typeof agenda !== 'string' || agenda.length > maxAgenda)) {
    refuse('agenda', `The value that you entered for the agenda field cannot exceed ${maxAgenda} characters.`)
  }
  if (type !== undefined && !types.includes(type)) refuse('type', 'Invalid field.')
  if (duration !== undefined && !Number.isInteger(duration)) refuse('duration', 'Invalid field.')
  if (start !== undefined && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/.test(String(start))) {
    refuse('start_time', 'Invalid field.')
  }
  if (settings !== undefined && !isObject(settings)) refuse('settings', 'Invalid field.')
  return problems
}

const writtenIn = (fields: JsonObject): JsonObject =>
  Object.fromEntries(written.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
const settingsIn = ({ settings }: JsonObject): JsonObject => (isObject(settings) ? settings : {})

export function createMeetings(now: () => number): Meetings {
  const meetings = new Map<string, SimulatedMeeting>()
  return {
    create(host, fields) {
      const id = randomInt(10_000_000_000, 99_999_999_999)
      const password = typeof fields.password === 'string' ? fields.password : String(randomInt(100_000, 999_999))
      const meeting: SimulatedMeeting = {
        uuid: Buffer.from(randomUUID()).toString('base64').slice(0, 22),
        id,
        host_id: host.id,
        host_email: host.email,
        topic: 'Zoom Meeting',
        type: 2,
        status: 'waiting',
        duration: 60,
        timezone: 'UTC',
        created_at: `${new Date(now()).toISOString().slice(0, 19)}Z`,
        start_url: `https://zoom.example/s/${id}?zak=simulated`,
        join_url: `https://zoom.example/j/${id}?pwd=${password}.1`,
        ...writtenIn(fields),
        password,
        settings: {
          host_video: false,
          participant_video: false,
          join_before_host: false,
          waiting_room: true,
          ...settingsIn(fields),
          global_dial_in_numbers: [
            { country: 'US', country_name: 'US', city: 'New York', number: '+1 646 558 8656', type: 'toll' },
          ],
        },
      }
      meetings.set(String(id), meeting)
      return meeting
    },
    find(host, id) {
      const meeting = meetings.get(id)
      return meeting?.host_id === host.id ? meeting : undefined
    },
    change(meeting, fields) {
      Object.assign(meeting, writtenIn(fields), { settings: { ...meeting.settings, ...settingsIn(fields) } })
    },
    remove: (meeting) => void meetings.delete(String(meeting.id)),
    all: () => [...meetings.values()],
  }
}

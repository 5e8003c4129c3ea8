// The actions of events: responding, canceling, forwarding, reminders.

import { type Attendee, sameAddress } from '../../shared/calendar/people.ts'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from '../http.ts'
import { mailboxRoutes } from '../part.ts'
import { actionParameters, calendarPaths, eventOfCall, mailboxOfCall, WRITE } from './calendar-call.ts'
import { findOriginal } from './copies.ts'
import { changeOccurrence, changeStored, removeStored } from './event-store.ts'
import { parseEventTime } from './event-time.ts'
import { deleteEvent } from './event-write.ts'
import { sendMeetingMail } from './meeting-mails.ts'
import { placeCopy } from './meetings.ts'
import { answerMeeting, checkAnswer, type MeetingAnswer } from './responses.ts'
import { calendarState, type EventDetails, mailboxOf } from './state.ts'

const accepted: GraphAnswer = { status: 202 }

function answerWith(response: MeetingAnswer['response']) {
  return (call: GraphCall): GraphAnswer => {
    const { calendar, item } = eventOfCall(call)
    const given = actionParameters(call.json())
    const sendResponse = given.get('sendresponse') ?? true
    if (typeof sendResponse !== 'boolean') throw invalidParameter('SendResponse')
    const proposal = response === 'accepted' ? undefined : given.get('proposednewtime')
    const answer: MeetingAnswer = {
      calendar,
      item,
      response,
      sendResponse,
      comment: commentOf(given),
      ...(isObject(proposal) && { proposedNewTime: parseSlot(proposal) }),
    }
    checkAnswer(answer)
    answerMeeting(calendarState(call.world), mailboxOfCall(call), answer)
    return accepted
  }
}

function parseSlot(value: JsonObject): NonNullable<Attendee['proposedNewTime']> {
  return { start: parseEventTime(value.start), end: parseEventTime(value.end) }
}

function commentOf(given: ReadonlyMap<string, unknown>): string {
  const comment = given.get('comment') ?? ''
  if (typeof comment !== 'string') throw invalidParameter('Comment')
  return comment
}

function invalidParameter(name: string): GraphError {
  return new GraphError(400, 'ErrorInvalidParameter', `The value of parameter '${name}' is invalid.`)
}

function cancel(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  if (!item.isOrganizer) {
    throw new GraphError(
      400,
      'ErrorAccessDenied',
      "Your request can't be completed. You need to be an organizer to cancel a meeting.",
    )
  }
  const comment = commentOf(actionParameters(call.json()))
  deleteEvent(calendarState(call.world), { calendar, item, comment })
  return accepted
}

/** Forwarding invites the recipients to the meeting and adds them to the organizer's event. */
function forward(call: GraphCall): GraphAnswer {
  const state = calendarState(call.world)
  const { calendar, item } = eventOfCall(call)
  const given = actionParameters(call.json())
  const recipients = parseRecipients(given.get('torecipients'))
  const original = item.isOrganizer ? undefined : findOriginal(state, item)
  const place = original ?? { calendar, event: calendar.events.get(item.masterKey ?? item.key) }
  if (place.event === undefined) return accepted
  const added = recipients.filter(
    ({ address }) => !place.event?.attendees.some((one) => sameAddress(one.address, address)),
  )
  const attendees = [...place.event.attendees, ...added]
  const after = changeStored(state, place.calendar, { event: place.event, change: { attendees } })
  for (const { address } of recipients) {
    const mailbox = mailboxOf(state, address)
    if (mailbox !== undefined) placeCopy(state, mailbox, { event: after, rescheduled: false })
  }
  const to = recipients.map(({ address }) => address)
  sendMeetingMail(state, call.owner, { kind: 'forward', to, item, comment: commentOf(given) })
  return accepted
}

function parseRecipients(value: unknown): Attendee[] {
  const recipients = Array.isArray(value) ? value : []
  const parsed = recipients.flatMap((one): Attendee[] => {
    const { address, name } = isObject(one) && isObject(one.emailAddress) ? one.emailAddress : {}
    if (typeof address !== 'string' || !address.includes('@')) return []
    return [
      { address, name: typeof name === 'string' ? name : address, type: 'optional', status: { response: 'none' } },
    ]
  })
  if (parsed.length > 0 && parsed.length === recipients.length) return parsed
  throw new GraphError(400, 'ErrorInvalidRecipients', "At least one recipient isn't valid.")
}

/** Changes only the user's own copy. */
function changeOwn(call: GraphCall, changes: Partial<EventDetails>): GraphAnswer {
  const state = calendarState(call.world)
  const { calendar, item } = eventOfCall(call)
  const event = calendar.events.get(item.masterKey ?? item.key)
  if (event === undefined) return accepted
  if (item.date === undefined) changeStored(state, calendar, { event, change: changes })
  else changeOccurrence(state, calendar, { master: event, date: item.date, changes })
  return accepted
}

function snooze(call: GraphCall): GraphAnswer {
  const time = parseEventTime(actionParameters(call.json()).get('newremindertime'))
  const { item } = eventOfCall(call)
  const minutes = Math.max(0, Math.round((item.start.ms - time.ms) / 60_000))
  return { ...changeOwn(call, { isReminderOn: true, reminderMinutesBeforeStart: minutes }), status: 200 }
}

/** Deletes an event without notifying anybody. */
function removeForGood(call: GraphCall): GraphAnswer {
  const { calendar, item } = eventOfCall(call)
  const event = calendar.events.get(item.key)
  if (event === undefined) throw new GraphError(400, 'ErrorInvalidRequest', 'An occurrence cannot be deleted for good.')
  removeStored(calendarState(call.world), calendar, event)
  return {}
}

const actions: Readonly<Record<string, (call: GraphCall) => GraphAnswer>> = {
  accept: answerWith('accepted'),
  tentativelyAccept: answerWith('tentativelyAccepted'),
  decline: answerWith('declined'),
  cancel,
  forward,
  dismissReminder: (call) => ({ ...changeOwn(call, { isReminderOn: false }), status: 200 }),
  snoozeReminder: snooze,
  permanentDelete: removeForGood,
}

export const actionsRoutes: readonly GraphRoute[] = calendarPaths.flatMap((root) =>
  Object.entries(actions).flatMap(([name, handle]) =>
    mailboxRoutes(`POST ${root}/events/:eventId/${name}`, WRITE, handle),
  ),
)

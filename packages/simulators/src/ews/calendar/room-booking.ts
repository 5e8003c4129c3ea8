// Rooms respond to invitations automatically: they accept if they are free and decline otherwise.
import { isFreeFor } from '../../shared/calendar/busy.ts'
import type { World } from '../model.ts'
import { answerMeeting } from './answers.ts'
import { eventOf } from './content.ts'
import { calendarOf, isCalendarItem } from './occurrences.ts'
import { isRoom } from './places.ts'

export function answerAsRoom(world: World, address: string, uid: string): void {
  const room = world.findAccount(address)
  if (room === undefined || !isRoom(world, room)) return
  const calendar = room.mailbox.folders.standard('calendar')
  const copy = [...calendar.items.values()].filter(isCalendarItem).find(({ content }) => content.uid === uid)
  if (copy === undefined || copy.content.response.response === 'accepted') return
  const response = isFreeFor(calendarOf(calendar), eventOf(copy)) ? 'accepted' : 'declined'
  answerMeeting(world, room, { item: copy, response, sends: true, savesCopy: false, comment: '' })
}

/** Sends a booking or a move, and finds other times if the chosen one is taken. */
import type { Booking } from '@waypost/contract'
import { useState } from 'preact/hooks'
import { Refusal } from '../api.ts'
import { draftOf, type Entries, inputOf } from '../form/entries.ts'
import { nowInSeconds, type Page, usePage } from '../page.ts'
import { hostsOf, nearestSlots, type Slot } from '../slots.ts'
import { monthOf } from '../time/days.ts'

/** Times that are offered instead of a taken one. */
const alternatives = 6

export interface Sending {
  isSending: boolean
  refusal: Refusal | undefined
  /** Other times, after the chosen one was taken. */
  others: readonly Slot[] | undefined
  /** Messages of the server by input. */
  refused: Record<string, string>
  run(slot: Slot, work: (slot: Slot) => Promise<Booking | undefined>): Promise<Booking | undefined>
  clear(): void
}

export function useSending(): Sending {
  const page = usePage()
  const { store, formats, settings } = page
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [others, setOthers] = useState<readonly Slot[]>()
  const findOthers = async (slot: Slot): Promise<void> => {
    store.forget()
    const days = settings.scheduler.available_days_in_future ?? 30
    const last = monthOf(formats.dayOf(nowInSeconds() + days * 86_400))
    setOthers(await nearestSlots({ store, formats, last }, slot, alternatives))
  }
  return {
    isSending,
    refusal,
    others,
    refused: Object.fromEntries(
      Object.entries(refusal?.fields ?? {}).flatMap(([path, text]) => {
        const input = inputOf(path)
        return input ? [[input, text]] : []
      }),
    ),
    async run(slot, work) {
      setSending(true)
      setRefusal(undefined)
      setOthers(undefined)
      try {
        return await work(slot)
      } catch (error) {
        const found = error instanceof Refusal ? error : new Refusal('other')
        setRefusal(found)
        if (found.kind === 'taken') void findOthers(slot)
        else page.announce('')
        return undefined
      } finally {
        setSending(false)
      }
    },
    clear() {
      setRefusal(undefined)
      setOthers(undefined)
    },
  }
}

const seatOf = ({ event_id, master_id, calendar_id }: Slot) => ({ event_id, master_id, calendar_id })

/** Books a slot. With round robin, the next host who is free is tried if the first one was just taken. */
export async function book(page: Page, slot: Slot, entries: Entries): Promise<Booking> {
  const { client, data, store, zone } = page
  const draft = {
    start_time: slot.start_time,
    end_time: slot.end_time,
    timezone: zone,
    ...draftOf(entries),
    ...seatOf(slot),
    email_language: data.emailLanguage,
  }
  let order = store.order()
  for (;;) {
    const [host] = hostsOf(slot, order)
    try {
      return await client.book({ ...draft, participants: host ? [host] : [] })
    } catch (error) {
      order = order.filter((email) => email !== host?.email)
      const isTaken = error instanceof Refusal && error.kind === 'taken'
      if (!isTaken || hostsOf(slot, order).length === 0) throw error
    }
  }
}

/** Moves a booking. The server keeps the host if that host is free. */
export async function move(page: Page, slot: Slot): Promise<Booking | undefined> {
  const { client, data, settings, zone } = page
  const { booking } = settings
  if (!data.booking || !booking) return undefined
  const { guest, additional_guests, additional_fields, email_language } = booking
  return client.move(data.booking.id, {
    start_time: slot.start_time,
    end_time: slot.end_time,
    timezone: zone,
    guest,
    additional_guests,
    additional_fields,
    email_language,
    ...seatOf(slot),
    master_event_id: slot.master_id,
  })
}

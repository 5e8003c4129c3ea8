/** Events moved or resized in the grid: shown at the new time at once, and moved back if the provider refuses. */
import type { Event, WhenInput } from '@waypost/sdk'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { moveEvent } from './changes.ts'
import { type Account, refreshEvents } from './data.ts'
import { sayWhen } from './say-when.ts'
import { hasChoices, ScopeDialog } from './scope.tsx'
import type { Scope } from './series.ts'
import { titleOf } from './shown-events.ts'
import { type EventPlace, placedWhen, toWhen } from './when.ts'

export interface Move {
  event: Event
  when: WhenInput
}

const isOf = (event: Event, { event: moved }: Move): boolean =>
  event.id === moved.id && event.calendar_id === moved.calendar_id

/** Events with pending moves applied. */
export const withMoves = (events: readonly Event[], moves: readonly Move[]): Event[] =>
  events.map((event) => {
    const move = moves.find((each) => isOf(event, each))
    return move ? { ...event, when: toWhen(move.when) } : event
  })

export function useMoves(account: Account, zone: string) {
  const [moves, setMoves] = useState<readonly Move[]>([])
  const [pending, setPending] = useState<Move>()
  const [refused, setRefused] = useState<{ move: Move; error: unknown }>()
  const take = (move: Move): void => setMoves((before) => before.filter((each) => each !== move))

  const send = async (move: Move, scope: Scope, notify: boolean): Promise<void> => {
    await moveEvent(account, move.event, scope, { when: move.when, notify, zone })
    showToast(`Moved to ${sayWhen(toWhen(move.when), zone)}`)
    await refreshEvents(account)
    take(move)
  }
  const begin = (event: Event, placed: EventPlace): void => {
    const move = { event, when: placedWhen(event.when, placed, zone) }
    setMoves((before) => [...before.filter((each) => !isOf(event, each)), move])
    if (hasChoices(event)) {
      setPending(move)
      return
    }
    send(move, 'one', true).catch((error) => {
      take(move)
      setRefused({ move, error })
    })
  }
  const dialogs = (
    <>
      {pending && (
        <ScopeDialog
          title={`Move ${titleOf(pending.event)}?`}
          event={pending.event}
          submit="Move"
          onClose={() => {
            take(pending)
            setPending(undefined)
          }}
          onDone={() => setPending(undefined)}
          onChoose={({ scope, notify }) => send(pending, scope, notify)}
        >
          <p>To {sayWhen(toWhen(pending.when), zone)}</p>
        </ScopeDialog>
      )}
      {refused && (
        <Dialog title={`${titleOf(refused.move.event)} was not moved`} onClose={() => setRefused(undefined)}>
          <ErrorNote error={refused.error} />
        </Dialog>
      )}
    </>
  )
  return { moves, begin, dialogs }
}

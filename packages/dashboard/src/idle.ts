/**
 * Pages poll by themselves, and the service cannot tell this from user activity. So the page watches for activity
 * itself and signs out when the idle time of a session has passed.
 */
import { useEffect } from 'react'
import { api } from './api.ts'
import { now } from './format.ts'
import { leave } from './queries.ts'

const idleSeconds = 30 * 60
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

export function useIdleSignOut(): void {
  useEffect(() => {
    let last = now()
    const note = (): void => {
      last = now()
    }
    const checkIdle = async (): Promise<void> => {
      if (now() - last < idleSeconds) return
      // Local data is cleared even if the request fails.
      await api()
        .session.delete()
        .catch(() => undefined)
      await leave()
    }
    const timer = setInterval(() => void checkIdle(), 30_000)
    for (const sign of signs) window.addEventListener(sign, note, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of signs) window.removeEventListener(sign, note)
    }
  }, [])
}

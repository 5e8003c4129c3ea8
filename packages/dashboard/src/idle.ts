/**
 * Pages ask for news by themselves, which the service cannot tell from somebody at work. So the page looks itself whether
 * anybody is there, and signs out when nobody was for as long as a session lasts without use.
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
    const look = async (): Promise<void> => {
      if (now() - last < idleSeconds) return
      // Ended there or not, what is shown here goes.
      await api()
        .session.delete()
        .catch(() => undefined)
      await leave()
    }
    const timer = setInterval(() => void look(), 30_000)
    for (const sign of signs) window.addEventListener(sign, note, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of signs) window.removeEventListener(sign, note)
    }
  }, [])
}

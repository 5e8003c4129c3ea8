import { useEffect, useState } from 'react'
import { exactTime, sayTime } from '../format.ts'

/** A relative time with the exact time on hover. It is updated while the page is open. */
export function Time({ at, none = 'never' }: { at: number | null | undefined; none?: string }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((times) => times + 1), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span className="quiet">{none}</span>
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exactTime(at)}>
      {sayTime(at)}
    </time>
  )
}

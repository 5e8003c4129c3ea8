/** Short confirmations, announced politely to screen readers. */
import { useEffect, useState } from 'react'

interface Toast {
  id: number
  text: string
}

const listeners = new Set<(toast: Toast) => void>()
let last = 0

export function showToast(text: string): void {
  last += 1
  for (const listener of listeners) listener({ id: last, text })
}

export function Toasts() {
  const [toasts, setToasts] = useState<Toast[]>([])
  useEffect(() => {
    const add = (toast: Toast): void => {
      setToasts((shown) => [...shown.slice(-2), toast])
      setTimeout(() => setToasts((shown) => shown.filter(({ id }) => id !== toast.id)), 5000)
    }
    listeners.add(add)
    return () => void listeners.delete(add)
  }, [])
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}

import type { Booking } from '@waypost/sdk'
import { Badge, type Tone } from '../../components/badge.tsx'

const words: Record<Booking['status'], readonly [tone: Tone, text: string]> = {
  booked: ['good', 'booked'],
  pending: ['warn', 'waiting'],
  cancelled: ['neutral', 'canceled'],
}

export function BookingState({ of }: { of: Booking['status'] }) {
  const [tone, text] = words[of]
  return <Badge tone={tone}>{text}</Badge>
}

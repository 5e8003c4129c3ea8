// A simulated Zoom for development, with two users. They have the addresses of the other simulators' users.
import type { OAuthOptions } from '../shared/oauth/simulator.ts'
import { seededToken } from '../shared/seed.ts'
import { startZoom, type ZoomSimulator } from './simulator.ts'

/** Starts a simulated Zoom with two accounts, `ada@example.com` and `grace@example.com`. */
export async function seededZoom(options: OAuthOptions = {}): Promise<ZoomSimulator> {
  const zoom = await startZoom(options)
  zoom.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' })
  zoom.addAccount({ email: 'grace@example.com', name: 'Grace Hopper' })
  for (const { email } of zoom.accounts()) zoom.grantToken(email, { refreshToken: seededToken(email) })
  return zoom
}

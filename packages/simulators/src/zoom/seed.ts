// A simulated Zoom for development, with two users. They have the addresses of the other simulators' users.
import { seededToken } from '../shared/seed.ts'
import { startZoom, type ZoomOptions, type ZoomSimulator } from './simulator.ts'

/** Starts a simulated Zoom with two accounts, `ada@example.com` and `grace@example.com`. */
export async function seededZoom(options: ZoomOptions = {}): Promise<ZoomSimulator> {
  const zoom = await startZoom(options)
  zoom.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace' })
  zoom.addAccount({ email: 'grace@example.com', name: 'Grace Hopper' })
  for (const { email } of zoom.accounts()) zoom.grantToken(email, { refreshToken: seededToken(email) })
  return zoom
}

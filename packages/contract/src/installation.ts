/** Settings of the installation that owners change while it runs. */
import { z } from 'zod'
import { route } from './route.ts'

export const Installation = z
  .object({
    installation_password: z.boolean().meta({
      description: 'Whether the password of the installation, user `admin`, lets anybody in',
    }),
    password_of_settings: z.boolean().meta({
      description: 'Whether the operator set it with WAYPOST_ADMIN_PASSWORD, so that it is changed there alone',
    }),
  })
  .meta({ id: 'Installation', description: 'Settings of the installation that owners change' })
export type Installation = z.output<typeof Installation>

export const installation = {
  get: route({
    method: 'GET',
    path: '/v3/admin/installation',
    summary: 'Get the settings of the installation',
    description: 'For owners.',
    audience: 'administrator',
    returns: Installation,
  }),
  update: route({
    method: 'PATCH',
    path: '/v3/admin/installation',
    summary: 'Switch the password of the installation on or off',
    description:
      'Off, once an owner has a sign-in of their own: nobody comes in with it, and sessions that it began end. `waypost dashboard password on` switches it on again, and `waypost dashboard link` lets in whoever is shut out. For owners.',
    audience: 'administrator',
    body: z
      .object({
        installation_password: z.boolean().meta({ description: '`false` switches it off, `true` on' }),
      })
      .meta({ id: 'InstallationChange', description: 'What is to be changed of the installation' }),
    returns: Installation,
    errors: ['conflict'],
  }),
}

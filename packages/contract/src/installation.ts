/** Settings of the installation that owners change while it runs. */
import { z } from 'zod'
import { Role } from './people.ts'
import { route } from './route.ts'

const RequiredRoles = z.array(Role).max(3).meta({
  description:
    'Roles whose people need a second factor to sign in with a password. Empty: nobody needs one. Sign-in with OpenID Connect leaves it to the provider.',
})

export const Installation = z
  .object({
    installation_password: z.boolean().meta({
      description: 'Whether the password of the installation, user `admin`, lets anybody in',
    }),
    password_of_settings: z.boolean().meta({
      description: 'Whether the operator set it with WAYPOST_ADMIN_PASSWORD, so that it is changed there alone',
    }),
    second_factor_required_for: RequiredRoles,
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
    summary: 'Switch the password of the installation, or require a second factor',
    description:
      'The password of the installation can be switched off once an owner can sign in without it: nobody comes in with it, and sessions that it began end. A second factor can be required of some roles or all. People without one can then do nothing but set it up, in sessions that are open already too. You need one yourself first, and to require it of owners, the password of the installation must be off, because it has none. `waypost dashboard link`, `waypost dashboard password on` and `waypost people second-factor none` let in whoever is locked out. For owners.',
    audience: 'administrator',
    body: z
      .object({
        installation_password: z.boolean().optional().meta({ description: '`false` switches it off, `true` on' }),
        second_factor_required_for: RequiredRoles.optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        message: 'give installation_password or second_factor_required_for',
      })
      .meta({ id: 'InstallationChange', description: 'What is to be changed of the installation; the rest stays' }),
    returns: Installation,
    errors: ['conflict'],
  }),
}

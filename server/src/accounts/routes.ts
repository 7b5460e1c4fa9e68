import type { FastifyInstance } from 'fastify'
import type { AccountDeps } from './account.ts'
import { addressRoutes } from './addresses.ts'
import { keyRoutes } from './api-keys.ts'
import { emailChangeRoutes } from './change-email.ts'
import { passkeyRoutes } from './credentials/passkeys.ts'
import { twoFactorRoutes } from './credentials/two-fa-setup.ts'
import { eraseRoutes } from './erase-account.ts'
import { favouriteRoutes } from './favourites.ts'
import { profileRoutes } from './profile.ts'
import { passwordRoutes } from './sign-in/new-password.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { sessionRoutes } from './sign-in/session-routes.ts'
import { signUpRoutes } from './sign-up/sign-up.ts'
import { staffRoutes } from './staff/routes.ts'

/** All routes about accounts, sessions and keys. Their responses are never cached. */
export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  app.register((accounts, _options, done) => {
    accounts.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    signUpRoutes(accounts, deps)
    signInRoutes(accounts, deps)
    profileRoutes(accounts, deps)
    favouriteRoutes(accounts, deps)
    emailChangeRoutes(accounts, deps)
    addressRoutes(accounts, deps)
    eraseRoutes(accounts, deps)
    passwordRoutes(accounts, deps)
    sessionRoutes(accounts, deps)
    twoFactorRoutes(accounts, deps)
    passkeyRoutes(accounts, deps)
    keyRoutes(accounts, deps)
    staffRoutes(accounts, deps)
    done()
  })
}

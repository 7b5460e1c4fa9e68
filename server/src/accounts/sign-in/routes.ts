import { SignIn, VerifyTwoFa } from '@befaqt/domain/account'
import type { SignInAnswer } from '@befaqt/domain/api/account-api'
import { PasskeySignIn } from '@befaqt/domain/passkey'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beginPasskeySignIn, passkeySignIn } from '#server/accounts/passkeys/passkey-sign-in.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { clearSessionCookie, setSessionCookies } from '#server/accounts/sessions/cookies.ts'
import { refuseForeign } from '#server/accounts/sessions/origin-check.ts'
import { endSession } from '#server/accounts/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { type SignedIn, signIn } from './sign-in.ts'

/** Ways in and out. Every way in answers the token and sets it as the cookie. Source: spec §7, product.md. */
export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const ours = async (request: FastifyRequest): Promise<void> =>
    refuseForeign(request, deps.config.PUBLIC_URL)
  const welcome = (reply: FastifyReply, signedIn: SignedIn | null): SignInAnswer => {
    if (signedIn === null) return { requireTwoFa: true }
    setSessionCookies(reply, deps.config, signedIn)
    return { token: signedIn.token, user: signedIn.user }
  }

  app.post('/api/user/signIn', { preHandler: ours }, async (request, reply) =>
    welcome(reply, await signIn(deps, parse(SignIn, request.body), clientOf(request))),
  )
  app.post('/api/user/twoFa/verify', { preHandler: ours }, async (request, reply) =>
    welcome(reply, await signIn(deps, parse(VerifyTwoFa, request.body), clientOf(request))),
  )
  app.post('/api/user/passkeys/signIn/options', { preHandler: ours }, (request) =>
    beginPasskeySignIn(deps, clientOf(request)),
  )
  app.post('/api/user/passkeys/signIn', { preHandler: ours }, async (request, reply) =>
    welcome(reply, await passkeySignIn(deps, parse(PasskeySignIn, request.body), clientOf(request))),
  )
  app.post('/api/user/signOut', async (request, reply) => {
    const { asker } = request
    if (asker.kind === 'user') await endSession(deps.db, asker.userId, asker.sessionId)
    clearSessionCookie(reply, deps.config)
    return { signedOut: true }
  })
}

import { PasskeySignIn, SignIn, VerifyTwoFa } from '@befaqt/domain/account'
import { SignInAnswer } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/sign-in'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account.ts'
import { rejectCrossOrigin } from '#server/accounts/sessions/authenticate.ts'
import { clientOf, setSessionCookies } from '#server/accounts/sessions/client.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { isListedOrigin } from '#server/http/security-headers.ts'
import { beginPasskeySignIn, passkeySignIn } from './passkey-sign-in.ts'
import { type SignedIn, signIn } from './sign-in.ts'

const wayIn = { access: 'public', limits: 'sign-in', errors: [401] } as const

export const signInOperations = defineRoutes(endpoints, {
  signIn: {
    ...wayIn,
    summary: 'Sign in: a token, or requireTwoFa.',
    body: SignIn,
    responses: { 200: SignInAnswer },
  },
  verifyTwoFa: {
    ...wayIn,
    summary: 'Sign in with the second factor.',
    body: VerifyTwoFa,
    responses: { 200: SignInAnswer },
  },
  beginPasskeySignIn: {
    ...wayIn,
    summary: 'Begin signing in with a passkey: what WebAuthn’s get() takes.',
    responses: { 200: z.looseObject({ challenge: z.string() }) },
  },
  signInWithPasskey: {
    ...wayIn,
    summary: 'Sign in with a passkey.',
    body: PasskeySignIn,
    responses: { 200: SignInAnswer },
  },
})

/**
 * Signing in. Every sign-in returns the token and sets it as the cookie, but not for pages of API_ORIGINS, which use the
 * token alone. Source: spec §7, product.md.
 */
export function signInRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const welcome = (reply: FastifyReply, signedIn: SignedIn | null): SignInAnswer => {
    if (signedIn === null) return { requireTwoFa: true }
    if (!isListedOrigin(reply.request, deps.config)) setSessionCookies(reply, deps.config, signedIn)
    return { token: signedIn.token, user: signedIn.user }
  }

  app.register((ours, _options, done) => {
    ours.addHook('preHandler', async (request) => {
      if (!isListedOrigin(request, deps.config)) rejectCrossOrigin(request, deps.config.PUBLIC_URL)
    })
    registerRoute(ours, signInOperations.signIn, async ({ body, request, reply }) =>
      welcome(reply, await signIn(deps, body, clientOf(request))),
    )
    registerRoute(ours, signInOperations.verifyTwoFa, async ({ body, request, reply }) =>
      welcome(reply, await signIn(deps, body, clientOf(request))),
    )
    registerRoute(ours, signInOperations.beginPasskeySignIn, async ({ request }) => ({
      ...(await beginPasskeySignIn(deps, clientOf(request))),
    }))
    registerRoute(ours, signInOperations.signInWithPasskey, async ({ body, request, reply }) =>
      welcome(reply, await passkeySignIn(deps, body, clientOf(request))),
    )
    done()
  })
}

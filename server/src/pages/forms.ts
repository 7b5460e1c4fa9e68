import { type Endpoint, endpoint, urlOf } from '@befaqt/domain/api/endpoint'
import { updateProfile } from '@befaqt/domain/api/endpoints/account'
import {
  activate,
  forgotPassword,
  resetPassword,
  setUpFirstAdmin,
  signIn,
  signUp,
} from '@befaqt/domain/api/endpoints/sign-in'
import type { SentForm } from '@befaqt/domain/api/sent-form'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rejectCrossOrigin } from '#server/accounts/index.ts'
import type { Config } from '#server/config/config.ts'
import { defineRoutes, type Route, rawBody, registerRoute } from '#server/http/route.ts'
import { HTML } from './page-cache.ts'

/** What browsers send of a form that has no files. */
const FORM = 'application/x-www-form-urlencoded'

type PageForm = {
  /** What the page's script would call. */
  operation: Endpoint
  /** Fields that are shown again. Never a password or a code. */
  keeps: readonly string[]
  /** Does the page say what came of it? Else it leads on. */
  isSaid: (answer: object) => boolean
  /** Is what the address names, as the token of a mailed link, sent with it? */
  sendsParams?: true
  /** Where it leads on to; its own address unless named, which leads on by itself. */
  leadsTo?: string
}

const said = () => true
const neverSaid = () => false

const endpoints = {
  sendSignIn: endpoint('POST', '/user/signin'),
  sendSignUp: endpoint('POST', '/user/signup'),
  sendForgotPassword: endpoint('POST', '/user/forgotpassword'),
  sendResetPassword: endpoint('POST', '/user/resetpassword/:emailToken'),
  sendActivation: endpoint('POST', '/user/activate/:token'),
  sendFirstAdmin: endpoint('POST', '/user/firstadmin/:token'),
  sendProfile: endpoint('POST', '/user/profile'),
}

const PERSON = ['fname', 'lname', 'email', 'phone']

const forms: Readonly<Record<keyof typeof endpoints, PageForm>> = {
  sendSignIn: { operation: signIn, keeps: ['email'], isSaid: (answer) => 'requireTwoFa' in answer },
  sendSignUp: { operation: signUp, keeps: PERSON, isSaid: said },
  sendForgotPassword: { operation: forgotPassword, keeps: ['email'], isSaid: said },
  sendResetPassword: { operation: resetPassword, keeps: [], isSaid: said, sendsParams: true },
  sendActivation: { operation: activate, keeps: [], isSaid: said, sendsParams: true },
  sendFirstAdmin: { operation: setUpFirstAdmin, keeps: PERSON, isSaid: said, sendsParams: true },
  sendProfile: {
    operation: updateProfile,
    keeps: ['fname', 'lname', 'phone'],
    isSaid: neverSaid,
    leadsTo: '/',
  },
}

const page = {
  access: 'public',
  limits: 'page',
  body: rawBody({ [FORM]: null }),
  responses: { 200: HTML },
} as const

export const formOperations = defineRoutes(endpoints, {
  sendSignIn: { ...page, summary: 'The sign-in, sent without script.' },
  sendSignUp: { ...page, summary: 'The sign-up, sent without script.' },
  sendForgotPassword: { ...page, summary: 'The request for a recovery email, sent without script.' },
  sendResetPassword: { ...page, summary: 'A new password by a mailed link, sent without script.' },
  sendActivation: { ...page, summary: 'An account’s activation by a mailed link, sent without script.' },
  sendFirstAdmin: { ...page, summary: 'The first administrator’s account, sent without script.' },
  sendProfile: { ...page, summary: 'Own names and phone, sent without script.' },
})

/** Shows the page of a request with what became of its form. */
type Show = (request: FastifyRequest, reply: FastifyReply, sent: SentForm) => Promise<FastifyReply>

/**
 * Forms that work before the page's script does: a POST to the page's own address calls the operation that the script
 * would call, with its limits, checks and cookies, and answers with the page, or with its address when that leads on. A
 * form of another site is refused before it is read: unlike JSON, browsers let any page send one.
 */
export function formRoutes(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>, show: Show): void {
  app.register((sending, _options, done) => {
    sending.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, text, parsed) => parsed(null, text))
    sending.addHook('onRequest', async (request) => rejectCrossOrigin(request, config.PUBLIC_URL))
    for (const [id, form] of Object.entries(forms))
      registerRoute<Route>(
        sending,
        formOperations[id as keyof typeof forms],
        async ({ request, reply, params }) => {
          if (typeof request.body !== 'string')
            throw new ShopError('input.media_type', 'This takes a form of fields.')
          const typed = Object.fromEntries(new URLSearchParams(request.body))
          const kept = Object.fromEntries(Object.entries(typed).filter(([name]) => form.keeps.includes(name)))
          const named = form.sendsParams ? (params as Record<string, string>) : {}
          const { status, headers, body } = await call(request, form.operation, { ...typed, ...named })
          for (const [name, value] of headers) reply.header(name, value)
          if (status >= 400)
            return show(request, reply, { typed: kept, answer: null, refusal: { ...body.error, status } })
          if (form.isSaid(body)) return show(request, reply, { typed: kept, answer: body, refusal: null })
          return reply.header('cache-control', 'no-store').redirect(form.leadsTo ?? request.url, 303)
        },
      )
    done()
  })
}

/** Headers by which an operation knows who calls it, and those of its answer that the browser has to get. */
const ASKED = ['host', 'cookie', 'origin', 'sec-fetch-site', 'user-agent'] as const
const ANSWERED = ['set-cookie', 'retry-after'] as const

/** Calls an operation as the page's script would: through everything that stands before it. */
async function call({ server, headers, ip }: FastifyRequest, operation: Endpoint, body: object) {
  const asked = ASKED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  const answer = await server.inject({
    method: operation.method,
    url: urlOf(operation, {}),
    remoteAddress: ip,
    headers: { ...Object.fromEntries(asked), accept: 'application/json' },
    payload: body,
  })
  const given = ANSWERED.flatMap((name) =>
    answer.headers[name] === undefined ? [] : [[name, answer.headers[name]] as const],
  )
  return { status: answer.statusCode, headers: given, body: answer.json() }
}

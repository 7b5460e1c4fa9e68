import * as endpoints from '@befaqt/domain/api/endpoints/stock-notices'
import { NoticeToken, StockNoticeInput } from '@befaqt/domain/stock-notice'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { clientNetwork } from '#server/http/client-network.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { stopByMail } from './notice-emails.ts'
import { askForNotice, confirmNotice, type NoticeDeps, stopNotices } from './stock-notices.ts'

const call = { access: 'public', cache: 'no-store' } as const
const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data']

const noticeOperations = defineRoutes(
  { ...endpoints, stopByMail },
  {
    askForNotice: {
      ...call,
      summary:
        'Be told once, by email, when a product or a kind of seafood can be bought again. An address that is not one’s own account’s is asked first.',
      limits: 'mail',
      body: StockNoticeInput,
      responses: { 202: Message },
      errors: [404, 409],
    },
    confirmNotice: {
      ...call,
      summary: 'Confirm by the token of the email that one wants to be told.',
      limits: 'link',
      body: NoticeToken,
      responses: { 200: Message },
    },
    stopNotices: {
      ...call,
      summary: 'Stop all of these emails to an address, by the key of their link.',
      limits: 'link',
      responses: { 200: Message },
    },
    stopByMail: {
      ...call,
      summary: 'The same, by a form that mail programs send by themselves (RFC 8058).',
      limits: 'link',
      skipAuthentication: true,
      body: rawBody(Object.fromEntries(FORMS.map((type) => [type, null]))),
      responses: { 200: Message },
    },
  },
)

/** Who wants to be told what can be bought again. */
export function noticeRoutes(app: FastifyInstance, deps: NoticeDeps): void {
  registerRoute(app, noticeOperations.askForNotice, ({ principal, body, request }) =>
    askForNotice(deps, principal, body, clientNetwork(request.ip)),
  )
  registerRoute(app, noticeOperations.confirmNotice, ({ body, request }) =>
    confirmNotice(deps, body.token, clientNetwork(request.ip)),
  )
  registerRoute(app, noticeOperations.stopNotices, ({ params }) => stopNotices(deps, params.key))
  const stopping: FastifyPluginAsync = async (scope) => {
    // What the form says is always the same: the key says which address.
    scope.addContentTypeParser(FORMS[0] ?? '', { parseAs: 'string' }, (_request, _body, done) => done(null))
    registerRoute(scope, noticeOperations.stopByMail, ({ params }) => stopNotices(deps, params.key))
  }
  app.register(stopping)
}

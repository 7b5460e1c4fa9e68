import { Readable } from 'node:stream'
import * as managedEndpoints from '@befaqt/domain/api/endpoints/manage'
import * as endpoints from '@befaqt/domain/api/endpoints/own-account'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { accountData } from './accounts/personal-data.ts'
import type { Db } from './db/client.ts'
import type { PersonalData } from './db/personal-data.ts'
import { users } from './db/schema/accounts.ts'
import { deskData } from './desk/personal-data.ts'
import { fieldData } from './field/personal-data.ts'
import { defineRoutes, registerRoute } from './http/route.ts'
import { requireUser } from './identity/principal.ts'
import { noticeData } from './notices/personal-data.ts'
import { orderData } from './orders/personal-data.ts'

/** What the shop holds of somebody: what each feature says of its own tables. */
export const personalData: readonly PersonalData[] = [
  ...accountData,
  ...orderData,
  ...noticeData,
  ...fieldData,
  ...deskData,
]

const personalDataOperations = defineRoutes(endpoints, {
  copyPersonalData: {
    access: 'user',
    limits: 'copy',
    confirmed: true,
    summary: 'A copy of all that the shop holds of whoever is signed in, as JSON.',
    responses: { 200: 'application/json' },
  },
})

const customerDataOperations = defineRoutes(managedEndpoints, {
  copyCustomerData: {
    access: 'admin',
    limits: 'copy',
    confirmed: true,
    summary: 'The copy that an account gets of its data, for somebody who asked the shop for it.',
    responses: { 200: 'application/json' },
  },
})

type Deps = { db: Db; now: () => Date; siteFile: { name: string } }

/** The copy of one's own data, which everybody may have (Privacy Act 1988, Australian Privacy Principle 12). */
export function personalDataRoutes(app: FastifyInstance, deps: Deps): void {
  const send = (reply: FastifyReply, userId: string): FastifyReply =>
    reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(Readable.from(copyOf(deps, userId)))
  registerRoute(app, personalDataOperations.copyPersonalData, ({ principal, reply }) =>
    send(reply, requireUser(principal).userId),
  )
  registerRoute(app, customerDataOperations.copyCustomerData, async ({ params, reply }) => {
    if ((await deps.db.$count(users, eq(users.id, params.id))) === 0)
      throw new ShopError('user.not_found', 'There is no such user.')
    return send(reply, params.id)
  })
}

/** The text of the copy, in parts. */
export async function* copyOf({ db, now, siteFile }: Deps, userId: string): AsyncGenerator<string> {
  yield `{\n"shop": ${JSON.stringify(siteFile.name)},\n"madeAt": ${JSON.stringify(now())}`
  for (const { name, read } of personalData) {
    yield `,\n${JSON.stringify(name)}: [`
    let isFirst = true
    for await (const part of read(db, userId))
      for (const row of part) {
        yield `${isFirst ? '' : ','}\n${JSON.stringify(row)}`
        isFirst = false
      }
    yield ']'
  }
  yield '\n}\n'
}

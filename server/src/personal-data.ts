import { Readable } from 'node:stream'
import * as endpoints from '@befaqt/domain/api/endpoints/own-account'
import type { FastifyInstance } from 'fastify'
import { accountData } from './accounts/personal-data.ts'
import type { Db } from './db/client.ts'
import type { PersonalData } from './db/personal-data.ts'
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

type Deps = { db: Db; now: () => Date; siteFile: { name: string } }

/** The copy of one's own data, which everybody may have (Privacy Act 1988, Australian Privacy Principle 12). */
export function personalDataRoutes(app: FastifyInstance, deps: Deps): void {
  registerRoute(app, personalDataOperations.copyPersonalData, ({ principal, reply }) =>
    reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(Readable.from(copyOf(deps, requireUser(principal).userId))),
  )
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

import type { LightMyRequestResponse } from 'fastify'
import type { Db } from '#server/db/client.ts'
import type { SiteFile } from '#server/site/site.ts'
import type { StripeServer } from '../../../../tools/test/stripe-server.ts'
import type { Tokens } from './beginning.ts'
import type { Letter } from './letters.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'json'>
export type Request = {
  method: Method
  url: string
  headers: Record<string, string>
  payload?: object | string
}

/** A shop in a storm: one process or several on one database, with all that is around it. Use with `await using`. */
export type World = AsyncDisposable & {
  readonly db: Db
  readonly siteFile: SiteFile
  readonly tokens: Tokens
  readonly stripe: StripeServer
  /** Sends a request to one of its processes, by turns unless `to` names one. @throws where the connection is lost */
  send(request: Request, to?: number): Promise<Answer>
  /** What the mail server took, in that order. */
  letters(): Promise<readonly Letter[]>
  /** Whether the mail server takes nothing for now, and says so. */
  refuseMail(refuses: boolean): void
  /** Does emails, payments and the watch of the cold chain until nothing of it is due; what failed is tried again. */
  settle(): Promise<void>
  /** Until every record is in a confirmed anchor. */
  anchor(): Promise<void>
  /** Where the ledger is read. */
  readonly ledgerUrl: string
  readonly processes: number
  /** Kills one without a word; it is away until `restart`. Null: it is this process. */
  readonly kill: ((which: number) => Promise<void>) | null
  /** Does nothing where it runs. */
  restart(which: number): Promise<void>
  /** Faults that its processes logged or ended with. */
  faults(): readonly string[]
  /** Has a process been killed? An email that it was sending may then be sent again, under the same Message-ID. */
  readonly wasKilled: boolean
}

import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

type Where = Pick<Config, 'HOST' | 'PORT'>

/** Why the system does not let us listen, by its error code. */
const reasons: Record<string, (where: Where) => string> = {
  EADDRINUSE: ({ HOST, PORT }) => `PORT: another program listens on ${HOST}:${PORT} already`,
  EACCES: ({ PORT }) => `PORT: the system does not let this user listen on ${PORT}`,
  EADDRNOTAVAIL: ({ HOST }) => `HOST: ${HOST} is no address of this machine`,
  ENOTFOUND: ({ HOST }) => `HOST: ${HOST} is no address of this machine`,
}

/** Listens where the settings say. @throws Error whose message names the setting that is wrong in a sentence */
export async function listen(app: FastifyInstance, { HOST, PORT }: Where): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = reasons[code]?.({ HOST, PORT })
    if (reason === undefined) throw error
    throw new Error(`Wrong setting. ${reason}. The README lists every setting.`, { cause: error })
  }
}

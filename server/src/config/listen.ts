import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** An address to listen on, and the setting that names its port. */
type Place = { setting: 'PORT' | 'MQTT_PORT' | 'WORKER_PORT'; host: string; port: number }

/** Why the system does not let us listen, by its error code. */
const reasons: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ setting, host, port }) => `${setting}: another program listens on ${host}:${port} already`,
  EACCES: ({ setting, port }) => `${setting}: the system does not let this user listen on ${port}`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is no address of this machine`,
  ENOTFOUND: ({ host }) => `HOST: ${host} is no address of this machine`,
}

/** Why nothing can listen there, naming the setting; undefined for an error that no setting mends. */
export function whyNotListening(error: unknown, place: Place): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code]?.(place)
}

/** What stops the start, in a sentence. */
export const configError = (reason: string, cause: unknown): Error =>
  new Error(`Wrong setting. ${reason}. The README lists every setting.`, { cause })

/** Listens where the settings say. @throws Error whose message names the setting that is wrong in a sentence */
export async function listen(
  app: FastifyInstance,
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  setting: Place['setting'] = 'PORT',
): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST })
  } catch (error) {
    const reason = whyNotListening(error, { setting, host: HOST, port: PORT })
    throw reason === undefined ? error : configError(reason, error)
  }
}

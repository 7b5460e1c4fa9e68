import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** An address to listen on, and the setting that names its port. */
type ListenAddress = { setting: 'PORT' | 'MQTT_PORT' | 'WORKER_PORT'; host: string; port: number }

/** Why listening failed, by the system's error code. */
const reasons: Record<string, (address: ListenAddress) => string> = {
  EADDRINUSE: ({ setting, host, port }) => `${setting}: ${host}:${port} is already in use by another program`,
  EACCES: ({ setting, port }) => `${setting}: permission denied to listen on port ${port}`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: ({ host }) => `HOST: ${host} is not an address of this machine`,
}

/** Why nothing can listen there, naming the setting; undefined for an error that no setting fixes. */
export function describeListenError(error: unknown, address: ListenAddress): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code]?.(address)
}

/** A setting that keeps the program from starting. */
export const configError = (reason: string, cause: unknown): Error =>
  new Error(`Wrong setting. ${reason}. The README lists every setting.`, { cause })

/** Listens where the settings say. @throws Error whose message names the wrong setting */
export async function listen(
  app: FastifyInstance,
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  setting: ListenAddress['setting'] = 'PORT',
): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST })
  } catch (error) {
    const reason = describeListenError(error, { setting, host: HOST, port: PORT })
    throw reason === undefined ? error : configError(reason, error)
  }
}

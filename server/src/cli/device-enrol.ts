import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { DeviceLevel } from '@befaqt/domain/device'
import { Signer } from '@befaqt/provenance/signed/signer'
import { enrol, operatorKey, thisServer } from './this-server.ts'

/** Registers a device whose key is on this machine: one that is there (PKCS #8, PEM), or a new one. */
const USAGE =
  'Usage: npm run -s device:enrol -- --name NAME --secret FILE.pem [--level sensor|gateway] [--server URL] [--key KEY]'

type Arguments = {
  name: string
  level: DeviceLevel
  file: string
  server: string | undefined
  key: string | undefined
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      secret: { type: 'string' },
      level: { type: 'string', default: 'sensor' },
      server: { type: 'string' },
      key: { type: 'string' },
    },
  })
  const { name, secret, level } = values
  if (name === undefined || secret === undefined) throw new Error(USAGE)
  if (level !== 'sensor' && level !== 'gateway') throw new Error(USAGE)
  return {
    name,
    level,
    server: values.server,
    key: values.key,
    file: resolve(process.env.INIT_CWD ?? '.', secret),
  }
}

/** The key of a file; without such a file a new one, which is written there first, readable by its owner only. */
async function secretAt(file: string): Promise<KeyObject> {
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`The file ${file} cannot be read.`)
  })
  if (pem === undefined) {
    const { privateKey } = generateKeyPairSync('ed25519')
    await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    console.log(`A new key is in ${file}. Bring it to the device, and keep no copy.`)
    return privateKey
  }
  const secret = (() => {
    try {
      return createPrivateKey(pem)
    } catch {
      throw new Error(`The file ${file} holds no private key in PEM.`)
    }
  })()
  if (secret.asymmetricKeyType !== 'ed25519') throw new Error(`The key in ${file} is not an Ed25519 key.`)
  return secret
}

async function main(): Promise<void> {
  const { name, level, file, server = thisServer(), key } = readArguments()
  const target = { server, key: key ?? (await operatorKey()) }
  const signer = new Signer(await secretAt(file))
  await enrol(target, signer, { name, level })
  console.log(`${name} is registered. Id of its key: ${signer.id}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { importBox } from '@befaqt/domain/api/endpoints/boxes'
import { z } from 'zod'
import { operatorKey, thisServer } from './this-server.ts'

/** `npm run -s box:import -- FILE.json [--server URL] [--key KEY]`: sends a whole Box to a running server. */
const USAGE = 'Usage: npm run -s box:import -- FILE.json [--server URL] [--key KEY]'

const Field = z.object({ path: z.string(), message: z.string() })
const Answer = z.object({
  boxID: z.string().optional(),
  error: z.object({ message: z.string(), fields: z.array(Field).optional() }).optional(),
})

type Arguments = { file: string; server: string; key: string | undefined }

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { server: { type: 'string' }, key: { type: 'string' } },
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new Error(USAGE)
  return { file, server: values.server ?? thisServer(), key: values.key }
}

async function main(): Promise<void> {
  const { file, server, key } = readArguments()
  const path = resolve(process.env.INIT_CWD ?? '.', file)
  const body = await readFile(path, 'utf8').catch(() => {
    throw new Error(`The file ${path} cannot be read.`)
  })
  const authorization = `Bearer ${key ?? (await operatorKey())}`
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(new URL(importBox.url, server), {
    method: importBox.method,
    headers,
    body,
  }).catch(() => {
    throw new Error(`The server at ${server} does not answer.`)
  })
  const answer = Answer.parse(await response.json())
  if (response.status === 201) return console.log(`${answer.boxID}: imported`)
  if (response.status === 200) return console.log(`${answer.boxID}: was here already, nothing new`)
  const fields = answer.error?.fields ?? []
  const wrong = fields.map(({ path, message }) => `  ${path}: ${message}`).join('\n')
  throw new Error(
    `Refused (${response.status}): ${wrong === '' ? (answer.error?.message ?? '') : `\n${wrong}`}`,
  )
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseAddRequest } from '@befaqt/provenance/log/add-checkpoint'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, parseNote } from '@befaqt/provenance/log/note'
import { cosign } from '@befaqt/provenance/log/signed-checkpoint'
import { newSigner } from '@befaqt/provenance/testing/log'

/** What a lying witness answers. */
export type Lie = { status: number; body: string; type?: string }

/** A witness that answers what a test says, and shows what a test says. */
export async function liar() {
  const signer = newSigner('liar.example/w', keyTypes.ed25519Cosigner)
  const asked: string[] = []
  const self = {
    key: signer.key,
    asked,
    url: '',
    answer: (_request: string): Lie => ({ status: 500, body: '' }),
    shown: undefined as string | undefined,
    /** It never answers who looks at what it shows. */
    hangs: false,
    /** A true signature of what it was sent, at this time. */
    sign: (request: string, timeS = Math.floor(Date.now() / 1000), origin?: string) => {
      const checkpoint = parseCheckpoint(parseNote(parseAddRequest(request).note).text)
      return cosign(origin === undefined ? checkpoint : { ...checkpoint, origin }, signer, timeS)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      if (request.method === 'GET' && self.hangs) return response
      if (request.method === 'GET')
        return response.writeHead(self.shown === undefined ? 404 : 200).end(self.shown)
      asked.push(text)
      const { status, body, type = 'text/plain' } = self.answer(text)
      return response.writeHead(status, { 'content-type': type }).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return self
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { printable } from '../cli-report.ts'
import { textOf } from '../digest.ts'
import { MAX_REQUEST, mirrorPath, monitorPath } from '../log/add-checkpoint.ts'
import { type VerifierKey, verifierKeyText } from '../log/note.ts'
import { parseTilePath } from '../log/tree.ts'
import type { AuditStore } from './audit-store.ts'
import type { Auditor } from './auditor.ts'
import type { BuildsJudge } from './builds-judge.ts'
import type { Page } from './checker.ts'
import type { Mirror } from './mirror.ts'
import type { Witness } from './witness.ts'

/** Milliseconds within which a request has to be there, and after which an open connection is closed. */
const REQUEST_MS = 10_000
const IDLE_MS = 30_000
const MAX_CONNECTIONS = 256
const PLAIN = 'text/plain; charset=utf-8'
const EVIDENCE = '/evidence'
/** Seconds after which one that was sent away may ask again. */
const RETRY_S = 30

interface Parts {
  readonly witness: Witness
  readonly log: VerifierKey
  /** Keys of this witness. */
  readonly keys: readonly VerifierKey[]
  readonly tell: (words: string) => void
  /** The log of builds, which is watched beside the other. */
  readonly builds?: WatchedBuilds | undefined
  /** Undefined: a general witness. */
  readonly audit?: Audit | undefined
  /** Undefined: no copies are kept. */
  readonly mirrors?: Mirrors | undefined
  /** What else it serves, by its path. */
  readonly pages?: ReadonlyMap<string, Page>
}

/** What an auditing witness knows, and has kept. */
export interface Audit {
  readonly auditor: Auditor
  readonly store: AuditStore
}

/** Copies of the logs. */
export interface Mirrors {
  /** Keys that sign them. */
  readonly keys: readonly VerifierKey[]
  readonly all: readonly { readonly log: VerifierKey; readonly mirror: Mirror }[]
}

/** A log of builds that is watched. */
export interface WatchedBuilds {
  readonly witness: Witness
  readonly log: VerifierKey
  /** Undefined: by a general witness, which reads nothing of what is in it. */
  readonly judge: BuildsJudge | undefined
}

/** The witness over HTTP: signs what logs send, and shows whoever asks what it signed last. */
export function serveWitness(parts: Parts): Server {
  const server = createServer((request, response) => {
    void answer(parts, request, response).catch((error: unknown) => {
      parts.tell(`a request failed: ${error instanceof Error ? error.message : String(error)}`)
      if (response.headersSent) response.destroy()
      else send(response, 503, 'The witness could not do this now.\n')
    })
  })
  server.requestTimeout = REQUEST_MS
  server.headersTimeout = REQUEST_MS
  server.keepAliveTimeout = IDLE_MS
  server.maxConnections = MAX_CONNECTIONS
  return server
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { witness, log, builds } = parts
  const [path = ''] = (request.url ?? '').split('?')
  response.setHeader('access-control-allow-origin', '*')
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return send(response, 405, 'POST\n')
    const body = await bodyOf(request)
    if (body === undefined) {
      response.setHeader('connection', 'close')
      return send(response, 413, 'The request is too long.\n')
    }
    const first = await witness.add(body)
    const reply = first.status === 404 && builds !== undefined ? await builds.witness.add(body) : first
    return send(response, reply.status, reply.body, reply.type)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'GET\n')
  if (path === '/') return send(response, 200, describe(parts))
  if (path === '/readyz') {
    const held = witness.held ?? builds?.witness.held ?? faultOf(parts.mirrors)
    return held === undefined ? send(response, 200, 'ready\n') : send(response, 503, `${held}\n`)
  }
  const page = parts.pages?.get(path)
  if (page !== undefined) return sendPage(response, page)
  if (path.startsWith(EVIDENCE)) return sendEvidence(parts, path, response)
  for (const watched of [{ witness, log }, ...(builds === undefined ? [] : [builds])]) {
    const { newest } = watched.witness
    if (path === monitorPath(watched.log.name) && newest !== undefined) return send(response, 200, newest)
  }
  for (const { log: of, mirror } of parts.mirrors?.all ?? []) {
    const prefix = `${mirrorPath(of.name)}/`
    if (path.startsWith(prefix)) return sendCopy(mirror, path.slice(prefix.length), response)
  }
  return send(response, 404, 'There is nothing here.\n')
}

/** What did not add up: all in short, or one with what proves it. */
function sendEvidence({ audit }: Parts, path: string, response: ServerResponse): void {
  const [, at] = /^\/(-?\d{1,15})$/.exec(path.slice(EVIDENCE.length)) ?? []
  const text =
    path === EVIDENCE
      ? JSON.stringify(audit?.store.evidence() ?? [])
      : at === undefined
        ? undefined
        : audit?.store.evidenceAt(Number(at))
  if (text === undefined) send(response, 404, 'There is nothing here.\n')
  else send(response, 200, text, 'application/json')
}

/** What does not change any more, also where it is a part of a tile. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** What stands at a path below the address of a copy, as the log itself has it. */
function sendCopy(mirror: Mirror, path: string, response: ServerResponse): void {
  const tile = parseTilePath(path)
  const bytes = tile && mirror.tile(tile)
  if (path === 'checkpoint' && mirror.newest !== undefined) send(response, 200, mirror.newest)
  else if (bytes === undefined) send(response, 404, 'There is nothing here.\n')
  else
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': IMMUTABLE })
      .end(bytes)
}

function faultOf(mirrors: Mirrors | undefined): string | undefined {
  const faults = mirrors?.all.flatMap(({ log, mirror: { fault } }) =>
    fault === undefined ? [] : [`copy of ${log.name}: ${printable(fault)}`],
  )
  return faults?.[0]
}

function send(response: ServerResponse, status: number, body: string, type = PLAIN): void {
  if (status === 503) response.setHeader('retry-after', RETRY_S)
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

function sendPage(response: ServerResponse, { body, type, policy }: Page): void {
  response.setHeader('x-content-type-options', 'nosniff')
  if (policy !== undefined) response.setHeader('content-security-policy', policy)
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body)
}

/** The body as text; undefined when it is too long. What is no UTF-8 is no request either. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MAX_REQUEST) return undefined
    parts.push(part)
  }
  try {
    return textOf(Buffer.concat(parts))
  } catch {
    return ''
  }
}

const GENERAL = [
  'A general witness of the log below: it signs each state of it that continues the one that it signed before.',
  'It compares states of the log alone, and reads nothing of what is in it.',
]
const AUDITING = [
  'An auditing witness of the log below: it signs each state of it that continues the one that it signed before, and in',
  'which every anchor adds up: no box fell back, changed without growth, vanished, or has a head that does not follow from',
  'its records.',
]

/** Who this is, for people and for the policies of others. */
function describe({ witness, log, keys, audit, pages, builds, mirrors }: Parts): string {
  const failed = audit?.auditor.failed
  return [
    ...(audit === undefined ? GENERAL : AUDITING),
    '',
    `kind ${audit === undefined ? 'general' : 'auditing'}`,
    `log ${verifierKeyText(log)}`,
    ...keys.map((key) => `key ${verifierKeyText(key)}`),
    `newest ${monitorPath(log.name)}`,
    `size ${witness.size}`,
    ...(pages?.has('/check') ? ['checker /check'] : []),
    ...(audit === undefined ? [] : [`audited ${audit.auditor.state}`, `evidence ${EVIDENCE}`]),
    witness.held !== undefined
      ? `state not signing: ${witness.held}`
      : failed === undefined
        ? 'state signing'
        : `state signing nothing beyond ${audit?.auditor.size}: ${printable(failed)}`,
    ...(builds === undefined ? [] : describeBuilds(builds)),
    ...(mirrors === undefined ? [] : describeMirrors(mirrors)),
    '',
  ].join('\n')
}

function describeBuilds({ witness, log, judge }: WatchedBuilds): string[] {
  const why = witness.held ?? judge?.failed
  return [
    '',
    'And a witness of the log of what the pages of that shop load.',
    `builds ${verifierKeyText(log)}`,
    `builds-newest ${monitorPath(log.name)}`,
    `builds-size ${witness.size}`,
    why === undefined ? 'builds-state signing' : `builds-state not signing: ${printable(why)}`,
  ]
}

function describeMirrors({ keys, all }: Mirrors): string[] {
  return [
    '',
    'And a mirror, which keeps a copy of what the witness has signed, and signs that it has it.',
    ...keys.map((key) => `mirror-key ${verifierKeyText(key)}`),
    ...all.flatMap(({ log, mirror: { size, fault } }) => [
      `mirror ${mirrorPath(log.name)} of ${log.name}`,
      `mirror-size ${size}`,
      fault === undefined ? 'mirror-state copying' : `mirror-state not copying: ${printable(fault)}`,
    ]),
  ]
}

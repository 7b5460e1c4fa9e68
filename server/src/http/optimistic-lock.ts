import { ShopError } from '@befaqt/domain/errors'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** The field `version` of a change. */
export const Version = z.number('version must be a number').int('version must be a whole number').optional()

const QUOTED = /^(?:W\/)?"(\d{1,9})"$/

/** The version that a caller expects to change: `If-Match: "7"`, else the body's `version`; undefined without one. */
export function expectedVersion(request: FastifyRequest, version?: number): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return version
  const match = QUOTED.exec(header)
  if (match === null) throw new ShopError('input.invalid', 'If-Match must be a version in quotes, like "7".')
  return Number(match[1])
}

/** @throws ShopError `version.stale` with the current state when somebody else changed it in the meantime */
export function checkVersion(expected: number | undefined, current: { version: number }): void {
  if (expected === undefined || expected === current.version) return
  throw new ShopError('version.stale', 'Somebody else changed this in the meantime. Nothing was saved.', {
    details: { current },
  })
}

import { ShopError } from '@befaqt/domain/errors'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** The field `version` of a change. */
export const Version = z.number('version must be a number').int('version must be a whole number').optional()

const QUOTED = /^(?:W\/)?"(\d{1,9})"$/

/** The version that a caller changes from: `If-Match: "7"`, else the body's `version`; undefined when not said. */
export function wantedVersion(request: FastifyRequest, version?: number): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return version
  const match = QUOTED.exec(header)
  if (match === null) throw new ShopError('input.invalid', 'If-Match must be a version in quotes, like "7".')
  return Number(match[1])
}

/** @throws ShopError `version.stale` with the present state when somebody else changed it meanwhile */
export function checkVersion(wanted: number | undefined, current: { version: number }): void {
  if (wanted === undefined || wanted === current.version) return
  throw new ShopError('version.stale', 'Somebody else changed this meanwhile. Nothing was saved.', {
    details: { current },
  })
}

import {
  Activate,
  ActivationAgain,
  BothFactors,
  ChangePassword,
  ConfirmTwoFa,
  FirstAdmin,
  ForgotPassword,
  PasswordAgain,
  ProfileInput,
  ResetPassword,
  SignIn,
  SignUp,
  VerifyTwoFa,
} from '@befaqt/domain/account'
import { Box } from '@befaqt/domain/box'
import { FieldReading, MOST_FIELD_READINGS, TrackingBatch } from '@befaqt/domain/box-input'
import { z } from 'zod'
import { manageCalls } from './openapi-manage-calls.ts'

/** What the documentation says of one call beside who may make it. */
export type CallText = {
  summary: string
  query?: Record<string, string>
  body?: { type?: string; schema?: z.ZodType }
}

const json = (schema: z.ZodType): NonNullable<CallText['body']> => ({ schema })
const paged = { page: 'from 1', size: 'rows of a page', q: 'search text' }

/** Every call of the API in a sentence, with the schema that its body is parsed by. A test walks the routes. */
export const calls: Readonly<Record<string, CallText>> = {
  ...manageCalls,
  'GET /api/openapi.json': { summary: 'This document.' },
  'GET /api/docs': { summary: 'This document for reading.' },
  'GET /api/site': { summary: 'Names, partners, market, and where the ledger can be read.' },
  'GET /api/viewer': { summary: 'Who is signed in: first name and role, or null.' },
  'GET /api/content/*': { summary: 'A static page: title, description, HTML.' },
  'GET /api/geocode': { summary: 'Address of a place.', query: { latlng: 'latitude,longitude' } },
  'GET /api/file/*': {
    summary: 'A picture, or a narrower copy.',
    query: { w: 'width in px', f: 'avif or webp' },
  },
  'POST /api/user/signIn': { summary: 'Sign in: a token, or requireTwoFa.', body: json(SignIn) },
  'POST /api/user/twoFa/verify': { summary: 'Sign in with the second factor.', body: json(VerifyTwoFa) },
  'POST /api/user/signUp': { summary: 'Make an account; an activation mail follows.', body: json(SignUp) },
  'POST /api/user/activate': {
    summary: 'Activate an account by the token of the mail.',
    body: json(Activate),
  },
  'POST /api/user/activate/again': {
    summary: 'Send the activation mail again.',
    body: json(ActivationAgain),
  },
  'POST /api/user/firstAdmin': {
    summary: 'Set up the first administrator by the printed link.',
    body: json(FirstAdmin),
  },
  'PATCH /api/user/forgotpassword': { summary: 'Ask for a recovery mail.', body: json(ForgotPassword) },
  'PATCH /api/user/resetpassword': {
    summary: 'Set a new password by the token of the mail.',
    body: json(ResetPassword),
  },
  'POST /api/user/passkeys/signIn/options': { summary: 'Begin signing in with a passkey.' },
  'POST /api/user/passkeys/signIn': { summary: 'Sign in with a passkey.' },
  'POST /api/user/signOut': { summary: 'End this session.' },
  'GET /api/user': { summary: 'Own profile.' },
  'PATCH /api/user': { summary: 'Change own names and phone.', body: json(ProfileInput) },
  'POST /api/user/password': {
    summary: 'Change own password; other sessions end.',
    body: json(ChangePassword),
  },
  'GET /api/user/sessions': { summary: 'Own sessions.' },
  'DELETE /api/user/sessions': { summary: 'End all other sessions.' },
  'DELETE /api/user/sessions/:id': { summary: 'End one session.' },
  'POST /api/user/twoFa/setup': { summary: 'Begin a second factor.', body: json(PasswordAgain) },
  'POST /api/user/twoFa/confirm': {
    summary: 'Confirm it by a code; recovery codes are answered once.',
    body: json(ConfirmTwoFa),
  },
  'POST /api/user/twoFa/off': { summary: 'Switch the second factor off.', body: json(BothFactors) },
  'POST /api/user/twoFa/recoveryCodes': { summary: 'Make new recovery codes.', body: json(BothFactors) },
  'GET /api/user/passkeys': { summary: 'Own passkeys.' },
  'POST /api/user/passkeys/options': { summary: 'Begin adding a passkey.' },
  'POST /api/user/passkeys': { summary: 'Add a passkey.' },
  'DELETE /api/user/passkeys/:id': { summary: 'Remove a passkey.' },
  'GET /api/product/active': { summary: 'All products on sale.' },
  'GET /api/product/byCategory/:id': { summary: 'Products of a category.' },
  'GET /api/product/:id': { summary: 'One product.' },
  'GET /api/category/active': { summary: 'Active categories.' },
  'GET /api/category/byTitle/:catTitle': { summary: 'A category by its title, white space ignored.' },
  'GET /api/box': { summary: 'Boxes, newest first.', query: paged },
  'POST /api/box': {
    summary: 'Import a whole Box: 201, 200 when it was here, 409 when another is.',
    body: json(Box),
  },
  'GET /api/box/:boxID': { summary: 'A whole Box as it came, with our transactions.' },
  'GET /api/box/:boxID/page': { summary: 'All that the box page shows.' },
  'GET /api/box/:boxID/proof': {
    summary: 'Proof bundle for checking the box.',
    query: { download: 'any value: as a file' },
  },
  'POST /api/tracking': {
    summary: 'Send up to 1,000 readings of any boxes: good ones are kept, what is refused is told by index.',
    body: json(TrackingBatch.extend({ readings: z.array(FieldReading).max(MOST_FIELD_READINGS) })),
  },
  'POST /api/chain/rpc': { summary: 'Read-only JSON-RPC of the ledger’s chain, from any origin.' },
}

import { z } from 'zod'
import { FORGET_QUEUE, forgetOldJob } from './accounts/forget-old.ts'
import { ACTIVATION_QUEUE, activationAgainJob } from './accounts/sign-up/activation-again.ts'
import type { Deps } from './deps.ts'
import { OBJECT_QUEUE, removeUnnamed } from './files/objects.ts'
import { removeUnused, UNUSED_QUEUE } from './files/remove-unused.ts'
import { makeVariants, VARIANTS_QUEUE } from './files/variants.ts'
import type { JobHandlers } from './jobs/run.ts'
import { MAIL_QUEUE, sendMailJob } from './mail/send-mail.ts'

/** What jobs about one stored file carry. */
const FileJob = z.object({ path: z.string() })
/** What jobs about one object of the file store carry. */
const ObjectJob = z.object({ key: z.string() })

/** Work that somebody waits for, by queue. */
export const promptJobs = (deps: Deps): JobHandlers => ({
  [MAIL_QUEUE]: sendMailJob(
    deps.mailer,
    deps.secrets,
    { name: deps.siteFile.name, url: deps.config.PUBLIC_URL },
    deps.now,
  ),
  [ACTIVATION_QUEUE]: activationAgainJob(deps),
})

/** Work that takes long and that nobody waits for, by queue: it has a worker of its own, so that no mail waits. */
export const slowJobs = (deps: Deps): JobHandlers => ({
  [FORGET_QUEUE]: forgetOldJob(deps),
  [VARIANTS_QUEUE]: async (payload, signal) => makeVariants(deps, FileJob.parse(payload).path, signal),
  [UNUSED_QUEUE]: async (payload) => removeUnused(deps.db, FileJob.parse(payload).path),
  [OBJECT_QUEUE]: async (payload) => removeUnnamed(deps.db, deps.files, ObjectJob.parse(payload).key),
})

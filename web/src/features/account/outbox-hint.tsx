import { useSite } from '#web/root-data.ts'

/** On a development site without a mail server: where mails are. */
export function OutboxHint() {
  if (!useSite()?.outbox) return null
  return (
    <p className="mt-4 rounded-md bg-ice p-3 text-slate text-sm">
      This site has no mail server. The mail is a file in the folder <code>outbox</code> of its data folder.
    </p>
  )
}

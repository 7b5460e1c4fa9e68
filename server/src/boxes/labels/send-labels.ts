import type { FastifyReply } from 'fastify'
import type { LabelContent } from './label-content.ts'
import { labelsPdf } from './label-pdf.ts'
import { labelsZpl } from './label-zpl.ts'

/** The media types of printed labels. */
export const PRINTED = 'application/pdf, application/x-zpl'

/** Answers with labels: on A4 sheets, or as commands of a thermal printer. */
export async function sendLabels(
  reply: FastifyReply,
  contents: readonly LabelContent[],
  format: 'pdf' | 'zpl',
): Promise<FastifyReply> {
  if (format === 'pdf')
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="labels.pdf"')
      .send(await labelsPdf(contents))
  return reply
    .type('application/x-zpl')
    .header('content-disposition', 'attachment; filename="labels.zpl"')
    .send(labelsZpl(contents))
}

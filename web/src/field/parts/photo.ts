/** The longer side of a photo as it is kept, in px, and its JPEG quality: 300 KB instead of 5 MB. */
const MAX_SIDE = 1600
const QUALITY = 0.8

/** A photo of the camera, small enough to wait on the phone and to be sent at sea. One that can't be read stays as it is. */
export async function smallPhoto(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const small = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
    return small ?? file
  } catch {
    return file
  }
}

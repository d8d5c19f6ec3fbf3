/** Saves a file on the reader's computer. */
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Pixels for a pixel of the chart: 96 an inch become 288. */
const scale = 3

/** An SVG as a PNG, drawn by the browser. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = scale * image.naturalWidth
    canvas.height = scale * image.naturalHeight
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('this browser draws no pictures')
    context.scale(scale, scale)
    context.drawImage(image, 0, 0)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(blob => (blob === null ? reject(new Error('no picture was made')) : resolve(blob)), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** For a file name: only characters that every system allows. */
export const fileName = (title: string, ending: string): string =>
  `${title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)}.${ending}`

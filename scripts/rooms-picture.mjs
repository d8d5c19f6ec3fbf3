const width = 1000
const left = 300
const lineHeight = 17
const charactersPerLine = 100

/** The rooms from top to bottom, in the order in which they may import each other, each with its doors. */
export function roomsPicture(rooms) {
  const boxes = []
  let top = 40
  for (const room of rooms) {
    const lines = wrapped(room.doors === 'all' ? ['everything'] : room.doors.map(door => door.replace(/\.ts$/, '')))
    const height = Math.max(2, lines.length) * lineHeight + 14
    boxes.push({ ...room, top, height, lines })
    top += height + 8
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" font-family="Arial, Helvetica, sans-serif" font-size="13">
<title>The rooms of src/ and their doors</title>
<rect width="${width}" height="${top}" fill="#ffffff"/>
<text x="12" y="24" fill="#57606a">room of src/</text>
<text x="${left}" y="24" fill="#57606a">its doors: what rooms below may import</text>
${boxes.map(boxOf).join('\n')}
</svg>
`
}

function boxOf({ name, what, isForBrowsers, top, height, lines }) {
  const fill = isForBrowsers ? '#eaf5ea' : '#f2f5f9'
  const doors = lines
    .map((line, at) => `<text x="${left}" y="${top + 20 + at * lineHeight}" fill="#24292f">${line}</text>`)
    .join('\n')
  return `<rect x="4" y="${top}" width="${width - 8}" height="${height}" rx="6" fill="${fill}" stroke="#d0d7de"/>
<text x="12" y="${top + 20}" font-weight="bold" fill="#0b3d91">${name}/</text>
<text x="12" y="${top + 20 + lineHeight}" font-size="11" fill="#57606a">${what}${isForBrowsers ? ' · also in browsers' : ''}</text>
${doors}`
}

function wrapped(names) {
  const lines = []
  let line = ''
  for (const name of names) {
    const longer = line === '' ? name : `${line} · ${name}`
    if (longer.length > charactersPerLine && line !== '') {
      lines.push(line)
      line = name
    } else line = longer
  }
  return [...lines, line]
}

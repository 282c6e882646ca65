import { crc32, deflateRawSync } from 'node:zlib'

/** A file and its name in the archive. */
interface ZipFile {
  readonly name: string
  readonly content: Buffer
}

// 1980-01-01, the first valid date of the format.
const DATE = 0x21
const UTF8 = 0x800
const DEFLATE = 8

/** Writes a reproducible ZIP archive, without dates and owners. */
export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const path = Buffer.from(name, 'utf8')
    const packed = deflateRawSync(content, { level: 9 })
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(UTF8, 2)
    about.writeUInt16LE(DEFLATE, 4)
    about.writeUInt16LE(DATE, 8)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), about, path, packed)
    // The comment, disk and attributes are zero.
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, rest, path)
    offset += 4 + about.length + path.length + packed.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listing, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** From linux/magic.h and the clients' own sources: file systems on which SQLite's locks can't be trusted between machines. */
const names: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9p',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
  1397113167: 'AFS',
}

/** The name of a file system that several machines may see, by the type that `statfs` gives; undefined: it is a local one. */
export const networkFileSystem = (type: number): string | undefined =>
  // Some platforms give the 32 bits as a negative number.
  names[type >>> 0]

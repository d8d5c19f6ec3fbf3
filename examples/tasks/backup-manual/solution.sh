#!/bin/bash
set -eu
cat > "${APP_DIR:-/app}/MANUAL.md" <<'MD'
# backup.py

Keeps folders as compressed archives.

## Commands

### make

Writes all files below a folder to a new archive.

### show

Lists the files of an archive with their sizes.

### check

Lists the files that differ between an archive and a folder.

## Options

| Option | Default | Meaning |
|---|---|---|
| `-l`, `--level` | normal | make: how well to compress: fast, normal or small |
| `-x`, `--exclude` | none | make: leave out files with this ending; may be repeated |
| `--max-mb` | 500 | make: refuse folders larger than this many megabytes |
| `-f`, `--force` | none | make: overwrite an archive that exists |
| `-s`, `--sort` | name | show: sort by name, or by size, largest first |
| `--limit` | none | show: only so many files |
| `-q`, `--quiet` | none | check: print nothing, only set the exit code |

## Examples

```sh
python3 backup.py make photos photos.tar.gz
```

```sh
python3 backup.py make photos photos.tar.gz --level small --force
```

```sh
python3 backup.py show photos.tar.gz --sort size --limit 1
```

```sh
python3 backup.py check photos.tar.gz photos --quiet
```

## Exit codes

- 0: done; for check, nothing has changed
- 2: the options are wrong
- 3: the archive exists already
- 4: the folder is too large
- 5: the folder differs from the archive
MD

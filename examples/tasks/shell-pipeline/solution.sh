#!/bin/bash
set -eu
cat > "${APP_DIR:-/app}/archive.sh" <<'SH'
#!/bin/sh
# archive.sh INBOX ARCHIVE: moves reports to a folder per year and keeps an index.
set -u
inbox=$1
archive=$2
index=$archive/index.txt
status=0

stays() {
  printf '%s: %s\n' "$1" "$2" >&2
  status=1
}

mkdir -p "$archive" || exit 1
touch "$index"
for file in "$inbox"/*.report; do
  [ -f "$file" ] || continue
  name=${file##*/}
  first=$(head -n 1 "$file")
  case $first in
    'date: '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) ;;
    *) stays "$name" 'has no date on its first line'; continue ;;
  esac
  date=${first#date: }
  place=$archive/${date%%-*}
  if [ -e "$place/$name" ]; then
    stays "$name" 'is in the archive already'
    continue
  fi
  mkdir -p "$place" && mv "$file" "$place/$name" && printf '%s %s\n' "$date" "$name" >> "$index" || status=1
done
LC_ALL=C sort -u "$index" > "$index.new" && mv "$index.new" "$index"
exit $status
SH

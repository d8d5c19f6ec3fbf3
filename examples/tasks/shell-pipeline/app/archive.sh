#!/bin/sh
# archive.sh INBOX ARCHIVE: moves reports to a folder per year and keeps an index.
inbox=$1
archive=$2

for file in $(ls $inbox/*.report); do
  date=$(head -1 $file | cut -d' ' -f2)
  year=$(echo $date | cut -c1-4)
  mkdir $archive/$year
  mv $file $archive/$year
  echo $date $(basename $file) >> $archive/index.txt
done
sort $archive/index.txt > $archive/index.txt

#!/bin/sh
# A systemctl that costs next to nothing: every unit is loaded, and runs and is enabled once one of them has been started.
state='ActiveState=inactive\nSubState=dead\nUnitFileState=disabled'
if [ -e /run/started ]; then state='ActiveState=active\nSubState=running\nUnitFileState=enabled'; fi
case $1 in
  show)
    for word in "$@"; do
      case $word in *.service) printf "LoadState=loaded\n$state\nNeedDaemonReload=no\nResult=success\nJob=0\nNRestarts=0\n\n" ;; esac
    done ;;
  start) : >/run/started ;;
esac

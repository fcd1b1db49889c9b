#!/usr/bin/env bash
# A real Slurm of one node on this machine, for trying `ggpbench plan`: controller, node and
# authentication, all of them in one folder and under their own ports, so that nothing of the system
# is touched but the packages slurm-wlm and munge (Debian, Ubuntu).
#
#   bash bench/slurm/local.sh start DIR    then: export SLURM_CONF=DIR/slurm.conf
#   bash bench/slurm/local.sh stop DIR
set -euo pipefail

usage() {
  echo "usage: $0 start|stop DIR" >&2
  exit 2
}
[ $# -eq 2 ] || usage
action=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)

need() {
  local missing=()
  for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing slurm-wlm and munge (missing: ${missing[*]})"
  apt-get update -q >/dev/null && apt-get install -qy slurm-wlm munge >/dev/null || {
    echo "error: cannot install them; run this as root, or install slurm-wlm and munge yourself" >&2
    exit 1
  }
}

stop() {
  for daemon in slurmd slurmctld munged; do
    if [ -e "$dir/$daemon.pid" ]; then
      local pid
      pid=$(cat "$dir/$daemon.pid")
      kill "$pid" 2>/dev/null || true
      for _ in $(seq 50); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.2
      done
      rm -f "$dir/$daemon.pid"
    fi
  done
}

start() {
  need
  local user host
  user=$(id -un)
  host=$(hostname -s)
  chmod 755 "$dir"
  mkdir -p "$dir/state" "$dir/spool"
  if [ ! -e "$dir/munge.key" ]; then
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
  fi
  # `--force`: the folder may be anywhere, and its safety is not ours to enforce in a trial.
  munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
    --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed"
  # What this machine has, as slurmd itself sees it; a little memory less, since it varies.
  local node memory
  node=$(slurmd -C | grep -o 'CPUs=.*ThreadsPerCore=[0-9]*')
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
  # Cgroups are left alone: in a container they are not ours. Before 23.02 this has no word of its own.
  case $(slurmd -V) in
    *" 1"* | *" 20."* | *" 21."* | *" 22."*) echo "CgroupAutomount=no" >"$dir/cgroup.conf" ;;
    *) echo "CgroupPlugin=disabled" >"$dir/cgroup.conf" ;;
  esac
  cat >"$dir/slurm.conf" <<CONF
ClusterName=ggpbench
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CryptoType=crypto/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 $node RealMemory=$memory
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE OverSubscribe=NO
CONF
  export SLURM_CONF=$dir/slurm.conf
  slurmctld -f "$SLURM_CONF"
  slurmd -f "$SLURM_CONF"
  for _ in $(seq 30); do
    if [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; then
      echo "Slurm $(sinfo --version | cut -d' ' -f2) is ready: export SLURM_CONF=$SLURM_CONF"
      return
    fi
    sleep 1
  done
  echo "error: the node did not come up; see $dir/slurmctld.log and $dir/slurmd.log" >&2
  exit 1
}

case $action in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac

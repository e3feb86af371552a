# SPDX-License-Identifier: BSD-3-Clause
# A Slurm cluster of two nodes on this machine: slurm_up starts its daemons
# in $dir/slurm and sets SLURM_CONF; slurm_down ends them. Sourced after
# lib.sh.

# Why there can be none, or nothing.
slurm_missing() {
	for command in srun sinfo slurmctld slurmd munged python3; do
		command -v $command >/dev/null || echo "no $command"
	done
}

# N ports that nobody listens on, one a line.
free_ports() {
	python3 - "$1" <<-END
		import socket, sys
		all = [socket.socket() for i in range(int(sys.argv[1]))]
		for s in all:
		    s.bind(("127.0.0.1", 0))
		    print(s.getsockname()[1])
	END
}

slurm_conf() {
	# shellcheck disable=SC2046
	set -- $(free_ports 3)
	cat <<-END
		ClusterName=test
		SlurmctldHost=$(hostname -s)(127.0.0.1)
		SlurmctldPort=$1
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$slurm/munge.socket
		CredType=cred/munge
		MpiDefault=pmix
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		KillWait=1
		ReturnToService=2
		SlurmctldPidFile=$slurm/ctld.pid
		SlurmdPidFile=$slurm/%n.pid
		StateSaveLocation=$slurm/state
		SlurmdSpoolDir=$slurm/spool/%n
		TmpFS=$slurm/tmp/%n
		SlurmctldLogFile=$slurm/ctld.log
		SlurmdLogFile=$slurm/%n.log
		SchedulerType=sched/builtin
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		AccountingStorageType=accounting_storage/none
		JobAcctGatherType=jobacct_gather/none
		SlurmdParameters=config_overrides
		NodeName=n0 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$2 CPUs=64
		NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$3 CPUs=64
		PartitionName=p Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
	END
}

munge_up() {
	head -c 128 /dev/urandom >"$slurm/munge.key"
	chmod 600 "$slurm/munge.key"
	munged --foreground --force --key-file="$slurm/munge.key" \
		--socket="$slurm/munge.socket" --pid-file="$slurm/munge.pid" \
		--log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" \
		>"$slurm/munge.out" 2>&1 &
	slurm_pids=$!
	wait_for test -S "$slurm/munge.socket"
}

both_idle() {
	[ "$(sinfo -h -N -o '%N %t' | sort | tr '\n' ' ')" = 'n0 idle n1 idle ' ]
}

slurm_up() {
	slurm=$dir/slurm
	# munged wants every directory above its socket open to all.
	chmod 755 "$dir"
	mkdir -p "$slurm/state" "$slurm/spool/n0" "$slurm/spool/n1" \
		"$slurm/tmp/n0" "$slurm/tmp/n1"
	munge_up
	slurm_conf >"$slurm/slurm.conf"
	export SLURM_CONF="$slurm/slurm.conf"
	slurmctld -c -D >"$slurm/ctld.out" 2>&1 &
	slurm_pids="$slurm_pids $!"
	for node in n0 n1; do
		slurmd -D -N $node >"$slurm/$node.out" 2>&1 &
		slurm_pids="$slurm_pids $!"
	done
	wait_for both_idle
}

# Also those who run a step; slurmd waits for them, and they for slurmctld.
slurm_down() {
	grep -l -s -F -e "SLURM_CONF=$slurm/" /proc/[0-9]*/environ |
		cut -d/ -f3 | xargs -r kill -9 2>/dev/null
	for pid in $slurm_pids; do
		kill -9 "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$dir"
}

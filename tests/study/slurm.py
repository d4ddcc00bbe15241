#!/usr/bin/env python3
"""Sweeps on a real single-node Slurm, started here on loopback in a temporary folder and stopped afterwards."""
import ctypes
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "cli"))
sys.path.insert(0, os.path.join(here, "..", "train"))
from workbench import check, chosen, read_arguments, run_all  # noqa: E402
import survive  # noqa: E402

SKIPPED = 77
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"]

CONF = """
ClusterName=temporalot
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={worker}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=3
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1,sched_min_interval=0
KillWait=2
MinJobAge=600
InactiveLimit=0
OverTimeLimit=0
NodeName={node} NodeAddr=127.0.0.1 NodeHostname={node} CPUs=4 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes={node} Default=YES MaxTime=INFINITE State=UP
"""


def die_with_parent():
    """If this test is killed, its daemons are killed too."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def stay_together():
    """Restarts in a new PID namespace, if the system allows it, so that no process outlives this test."""
    alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    try:
        possible = subprocess.run([*alone, "true"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        possible = False
    if possible and "TEMPORALOT_TOGETHER" not in os.environ:
        os.environ["TEMPORALOT_TOGETHER"] = "1"
        os.execvp("unshare", [*alone, sys.executable, *sys.argv])


class Cluster:
    """Its own munged, slurmctld and slurmd; `with` stops them whatever happens."""

    def __init__(self):
        self.daemons = []

    def start(self, *words, **options):
        self.daemons.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                             preexec_fn=die_with_parent, **options))

    def wait_for(self, what, test, seconds=20):
        end = time.monotonic() + seconds
        while not test():
            check(time.monotonic() < end, f"{what} did not come up: {self.logs()}")
            check(all(one.poll() is None for one in self.daemons), f"a daemon ended before {what}: {self.logs()}")
            time.sleep(0.1)

    def logs(self):
        texts = [path.read_text(errors="replace")[-600:] for path in sorted(self.folder.glob("*.log"))]
        return " | ".join(texts)

    def __enter__(self):
        try:
            self.up()
        except BaseException:
            self.__exit__()
            raise
        return self

    def up(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="temporalot-slurm-"))
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}
        node = socket.gethostname().split(".")[0]
        munge = pwd.getpwnam("munge")
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        secret = self.folder / "munge"
        secret.mkdir(mode=0o755)
        (secret / "key").write_bytes(os.urandom(128))
        (secret / "key").chmod(0o400)
        for path in (secret, secret / "key"):
            os.chown(path, munge.pw_uid, munge.pw_gid)
        (self.folder / "slurm.conf").write_text(CONF.format(node=node, folder=self.folder, controller=free_port(),
                                                            worker=free_port()))
        (self.folder / "munge.socket").unlink(missing_ok=True)
        os.chown(self.folder, munge.pw_uid, munge.pw_gid)
        self.start("munged", "--foreground", "--force", "--key-file", str(secret / "key"), "--socket",
                   str(self.folder / "munge.socket"), "--pid-file", str(self.folder / "munged.pid"), "--log-file",
                   str(secret / "munged.log"), "--seed-file", str(secret / "seed"),
                   user=munge.pw_uid, group=munge.pw_gid, extra_groups=[])
        self.wait_for("munge", (self.folder / "munge.socket").exists)
        os.chown(self.folder, 0, 0)
        self.start("slurmctld", "-D", "-i", "-f", self.environment["SLURM_CONF"])
        self.start("slurmd", "-D", "-N", node, "-f", self.environment["SLURM_CONF"])
        self.wait_for("the node", lambda: "idle" in self.tell("sinfo", "-h", "-o", "%T"))

    def tell(self, *words):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)
        return done.stdout

    def __exit__(self, *_):
        for one in reversed(self.daemons):
            one.terminate()
        for one in reversed(self.daemons):
            try:
                one.wait(timeout=5)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()
        # processes that a job left behind when its slurmd ended
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"SLURM_CONF={self.folder}".encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                    os.kill(int(path.parent.name), signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


GRID = """
task: window-open
method: [temporalot, ot]
seed: 0
cost_on: state
steps: {steps}
eval_every: {steps}
eval_episodes: 4
video: 0
hidden: 32
batch: 32
warmup: 50
update_after: 60
log_every: 50
checkpoint_every: 37
horizon: 50
"""


CLUSTER = Cluster()


def slurm(bench, *more):
    """Runs temporalot sweep on this cluster; returns its output."""
    done = bench.run("sweep", "grid.yaml", "--out", "out", "--threads", "1", *more,
                     environment={"SLURM_CONF": CLUSTER.environment["SLURM_CONF"]})
    check(done.returncode == 0, f"{more}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def states(bench):
    return {one["method"]: one for one in map(json.loads, slurm(bench, "--status", "--json").splitlines())}


def job_state(job):
    return CLUSTER.tell("squeue", "-h", "-t", "all", "-r", "-j", job, "-o", "%T").strip()


def wait_until(what, test, seconds=60):
    end = time.monotonic() + seconds
    while not test():
        check(time.monotonic() < end, f"waited {seconds} s for {what}")
        time.sleep(0.1)


def wait_for_checkpoints(run):
    wait_until("checkpoints", lambda: len(list(run.glob("checkpoint/at-*.npz"))) == 2)


def start_again(job, test):
    """Slurm makes a requeued job wait for two minutes. This starts it earlier, but not within the seconds in which its
    credentials could be mistaken for the old ones."""
    wait_until("the queue", lambda: job_state(job) == "PENDING")
    time.sleep(3)
    CLUSTER.tell("scontrol", "update", f"JobId={job}", "StartTime=now")
    wait_until("the job to start again", test, 60)


def heedless_job():
    """A job that exceeds its time limit; Slurm notices within half a minute."""
    script = CLUSTER.folder / "heedless.sh"
    script.write_text("#!/bin/sh\n#SBATCH --array=0\n#SBATCH --time=1\nsleep 300\n")
    job = CLUSTER.tell("sbatch", "--parsable", "--output=/dev/null", str(script)).strip() + "_0"
    wait_until("a first job", lambda: job_state(job) == "RUNNING")
    CLUSTER.tell("scontrol", "update", f"JobId={job}", "EndTime=now")
    return job


def test_requeued_run_has_the_same_bytes(bench):
    """An array of two; one is killed by Slurm and requeued half-way, and ends like one that was never stopped."""
    (bench / "grid.yaml").write_text(GRID.format(steps=1000))
    done = bench.run("sweep", "grid.yaml", "--out", "whole", "--threads", "1", "--jobs", "1")
    check(done.returncode == 0, done.stderr)
    told = json.loads(slurm(bench, "--slurm", "--json", "--partition", "main", "--time", "10"))
    check(told["submitted"] == 2 and told["arrays"] == 1, f"submitted {told}")
    again = json.loads(slurm(bench, "--slurm", "--json"))
    check(again["submitted"] == 0 and again["already"] == 2, f"submitted twice: {again}")
    job, run = told["jobs"] + "_0", bench / "out/window-open/temporalot/seed-0"
    wait_for_checkpoints(run)
    check(states(bench)["temporalot"]["state"] == "going", "a run that Slurm has is not going")
    CLUSTER.tell("scontrol", "requeue", job)
    wait_until("the requeue", lambda: job_state(job) == "PENDING")
    step = max(int(path.stem[3:]) for path in run.glob("checkpoint/at-*.npz"))
    check(step < 1000, "it was over before it was requeued")
    check(states(bench)["temporalot"]["state"] == "queued", "requeued, and not in the queue")
    start_again(job, lambda: all(one["state"] == "finished" for one in states(bench).values()))
    shown = CLUSTER.tell("scontrol", "show", "job", job)
    check("Restarts=1" in shown, f"not restarted: {shown}")
    for method in ("temporalot", "ot"):
        survive.same(bench, f"whole/window-open/{method}/seed-0", f"out/window-open/{method}/seed-0")
    return f"requeued at step {step} of 1000"


def test_near_its_limit(bench):
    """On Slurm's warning: a checkpoint, and the run requeues itself. If cancelled: shown as such, and resubmitted."""
    (bench / "grid.yaml").write_text(GRID.format(steps=10000000).replace("[temporalot, ot]", "[temporalot]"))
    told = json.loads(slurm(bench, "--slurm", "--json"))
    job, run = told["jobs"] + "_0", bench / "out/window-open/temporalot/seed-0"
    wait_for_checkpoints(run)
    CLUSTER.tell("scancel", "--signal=USR1", "--batch", job)
    start_again(job, lambda: (run / "log.txt").read_text().count("--- Slurm job") == 2)
    check("--- stopped" in (run / "log.txt").read_text(), "it did not stop by itself")
    CLUSTER.tell("scancel", job)
    wait_until("the end", lambda: states(bench)["temporalot"]["state"] == "stopped")
    check("cancelled" in states(bench)["temporalot"]["problem"], str(states(bench)))
    told = json.loads(slurm(bench, "--slurm", "--json"))
    check(told["submitted"] == 1, f"not submitted again: {told}")
    CLUSTER.tell("scancel", told["jobs"])


def test_killed_for_time(bench):
    (bench / "grid.yaml").write_text(GRID.format(steps=100).replace("[temporalot, ot]", "[temporalot]"))
    (bench / "out/slurm").mkdir(parents=True)
    (bench / "out/slurm/jobs.csv").write_text(f"{CLUSTER.heedless},window-open/temporalot/seed-0\n")
    wait_until("the limit", lambda: job_state(CLUSTER.heedless) == "TIMEOUT")
    one = states(bench)["temporalot"]
    check(one["state"] == "failed" and "time limit reached" in one["problem"], f"shown as {one}")


def test_refused_by_sbatch(bench):
    (bench / "grid.yaml").write_text(GRID.format(steps=100))
    bench.one_line("partition", bench.run(
        "sweep", "grid.yaml", "--slurm", "--partition", "nowhere",
        environment={"SLURM_CONF": CLUSTER.environment["SLURM_CONF"]}), 1)


if __name__ == "__main__":
    read_arguments()
    missing = [name for name in NEEDED if shutil.which(name, path=PATH) is None]
    if missing or os.geteuid() != 0:
        print("skipped:", f"{', '.join(missing)}: not installed; apt-get install slurm-wlm munge" if missing
              else "slurmd and munged are started as root")
        sys.exit(SKIPPED)
    stay_together()
    tests = [value for name, value in list(globals().items()) if name.startswith("test_")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with CLUSTER:
        CLUSTER.heedless = heedless_job()
        failed = run_all(tests, chosen.program, None, chosen.tests)
    sys.exit(1 if failed else 0)

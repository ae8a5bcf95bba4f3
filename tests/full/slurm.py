"""The workflow on a real Slurm of one node, on this machine: ``make test-slurm``, as root on Debian.

Installs Debian's slurmctld, slurmd and munge, starts them on loopback, runs a study through Slurm with the profile of
``profiles/slurm``, cancels one of its jobs, goes on, and compares every file with a run without Slurm, byte for
byte. What it has started it stops; the packages stay. ``python tests/full/slurm.py [configuration [study]]``.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support import ROOT, contents, workspace

PACKAGES = ("slurmctld", "slurmd", "slurm-client", "munge")
# The one place that srun looks at: the executor clears the variables that name another.
CONF = Path("/etc/slurm/slurm.conf")
HOST = os.uname().nodename
MINE = "# written by tests/full/slurm.py\n"
TEXT = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
MinJobAge=300
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wait(what: str, true, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            sys.exit(f"{what}: not within {seconds:g} s")
        time.sleep(0.5)


@contextmanager
def slurm(folder: Path):
    """A controller and a node on this machine."""
    missing = [one for one in PACKAGES if subprocess.run(["dpkg", "-s", one], capture_output=True).returncode]  # fmt: skip
    if missing:
        install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
        subprocess.run(install, check=True, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    if CONF.exists() and not CONF.read_text().startswith(MINE):
        sys.exit(f"{CONF} is of another Slurm")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    memory = int(Path("/proc/meminfo").read_text().split()[1]) // 1024 - 500
    cores = len(os.sched_getaffinity(0))
    CONF.parent.mkdir(exist_ok=True)
    CONF.write_text(MINE + TEXT.format(host=HOST, folder=folder, cores=cores, memory=memory))
    daemons = []
    try:
        if subprocess.run(["munge", "-n"], capture_output=True).returncode:
            Path("/run/munge").mkdir(exist_ok=True)
            shutil.chown("/run/munge", "munge", "munge")
            as_munge = {"user": "munge", "group": "munge", "extra_groups": []}
            daemons.append(subprocess.Popen(["munged", "--foreground"], **as_munge))
            wait("munge", lambda: not subprocess.run(["munge", "-n"], capture_output=True).returncode)  # fmt: skip
        for command in (["slurmctld", "-D"], ["slurmd", "-D", "-N", HOST]):
            daemons.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        ready = ["sinfo", "--noheader", "--format", "%T"]
        wait("an idle node", lambda: "idle" in subprocess.run(ready, capture_output=True, text=True).stdout)  # fmt: skip
        yield
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(30)
        CONF.unlink()
        for process in at_work(folder):
            os.kill(process, signal.SIGKILL)


def at_work(folder: Path) -> list[int]:
    """Processes that work within a folder: the end of a cancelled job's script leaves its Snakemake without parent."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # ended meanwhile
            if link.readlink().is_relative_to(folder):
                found.append(int(link.parent.name))
    return found


def run(folder: Path, configs: list[Path], *more: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--configfile", *map(str, configs), *more]  # fmt: skip
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip


def ended(process: subprocess.Popen) -> str:
    output = process.communicate()[0]
    if process.returncode:
        sys.exit(output[-5000:])
    return output


def made(folder: Path) -> int:
    """Jobs that have written down what they made."""
    return len(list(folder.glob("results/*/logs/**/*.made.json")))


def cancelled(run: subprocess.Popen, folder: Path) -> str:
    """The job of a run that was cancelled at work, after three that were done."""
    while run.poll() is None:
        # The newest, which does not end before it is cancelled.
        jobs = said("squeue", "--noheader", "--states", "RUNNING", "--sort", "-S", "--format", "%i").split()  # fmt: skip
        if made(folder) > 2 and jobs:
            said("scancel", jobs[0])
            return jobs[0]
        time.sleep(0.2)
    sys.exit(run.communicate()[0][-5000:])


def main() -> None:
    config = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "config" / "config.yaml").resolve()
    study = sys.argv[2] if len(sys.argv) > 2 else "demo"
    only = ["--config", f"only={study}"]
    # A node without accounting; jobs of seconds are not asked after once a minute.
    profile = ["--profile", str(ROOT / "profiles" / "slurm"), "--slurm-no-account", "--slurm-status-command", "squeue",
               "--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1"]  # fmt: skip
    cores = str(len(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as place, slurm(Path(place)):
        at = {name: workspace(Path(place) / name) for name in ("local", "slurm")}
        shards = Path(place) / "shards.yaml"
        shards.write_text("options: {shards: 2}\n")
        configs = [config, shards]
        began = time.monotonic()
        ended(run(at["local"], configs, "--profile", "none", "--cores", cores, *only))
        middle = time.monotonic()
        first = run(at["slurm"], configs, *profile, "--restart-times", "0", *only)
        job = cancelled(first, at["slurm"])
        output = first.communicate()[0]
        if not first.returncode:
            sys.exit(f"a job was cancelled and the run did not notice\n{output[-2000:]}")
        kept = made(at["slurm"])
        ended(run(at["slurm"], configs, *profile, *only))
        end = time.monotonic()
        found = {name: contents(folder / "results" / study) for name, folder in at.items()}
        differs = [n for n in {**found["local"], **found["slurm"]} if found["local"].get(n) != found["slurm"].get(n)]  # fmt: skip
    here, there = middle - began, end - middle
    print(f"{study}: {here:.0f} s here, {there:.0f} s through Slurm with job {job} cancelled")
    count = len(found["local"])
    print(f"{kept} jobs were done before, {count} files compared, {len(differs)} differ")
    sys.exit("\n".join(sorted(differs)) if differs else 0)


if __name__ == "__main__":
    main()

"""Runs a command that goes on from snapshots, and kills it: all its processes, at random times. At last it is let run to its end.

    kill.py FOLDER TIMES COMMAND...

Prints what the last run prints. Its processes form a group of their own, so that no other is hit.
"""
import os
import random
import signal
import subprocess
import sys
import time

folder, times, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
environment = dict(os.environ, CONTRAFLOW_SNAPSHOTS=folder)
random.seed(5)
begin = time.monotonic()
kills = 0
for _ in range(times):
    run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        run.wait(random.uniform(0.3, 1.5))
    except subprocess.TimeoutExpired:
        ranks = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        for one in [*map(int, ranks), run.pid]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        run.wait()
        kills += 1
        time.sleep(0.2)  # locks are released when the last of them is gone
print(f"killed {kills} times", file=sys.stderr)
sys.exit(subprocess.run(command, env=environment, check=False).returncode)

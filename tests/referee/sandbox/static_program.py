"""Static programs for tests, compiled from C; without a compiler the tests skip, in CI they fail."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.devtools.starters import write_project

ATTACKS = """
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void said(const char *what, int held) { printf("%s %s\\n", what, held ? "held" : "BROKEN"); fflush(stdout); }

static int refuses_processes(void) {
  struct rlimit most;
  int left = 0, refused = 0;
  getrlimit(RLIMIT_NPROC, &most);
  pid_t *made = calloc(most.rlim_cur + 8, sizeof *made);
  for (; left < (int)most.rlim_cur + 8 && !refused; left++) {
    made[left] = fork();
    if (!made[left]) { pause(); _exit(0); }
    refused = made[left] < 0;
  }
  for (int each = 0; each < left; each++) if (made[each] > 0) { kill(made[each], SIGKILL); waitpid(made[each], NULL, 0); }
  return refused && getppid() == 1;
}

static int refuses_space(void) {
  static char block[1 << 20];
  int file = open("/tmp/large", O_CREAT | O_WRONLY, 0600), refused = 0;
  signal(SIGXFSZ, SIG_IGN);
  for (int each = 0; each < 100 && !refused; each++) refused = write(file, block, sizeof block) < (ssize_t)sizeof block;
  unlink("/tmp/large");
  return refused;
}

int main(int count, char **arguments) {
  (void)arguments;
  said("arguments", count == 1);
  said("user", getuid() != 0);
  said("files", access("/etc/passwd", F_OK) && access("/proc/self", F_OK) && access("/site/arena", F_OK) && access("/bin/sh", F_OK));
  said("writing", open("/bot/x", O_CREAT | O_WRONLY, 0600) < 0 && open("/x", O_CREAT | O_WRONLY, 0600) < 0);
  said("descriptors", fcntl(3, F_GETFD) < 0 && fcntl(4, F_GETFD) < 0);
  said("network", socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EAFNOSUPPORT && socket(AF_NETLINK, SOCK_RAW, 0) < 0);
  said("calls", ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 && errno == EPERM);
  said("shared memory", mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  said("pipe", signal(SIGPIPE, SIG_DFL) == SIG_DFL);
  said("processes", refuses_processes());
  said("space", refuses_space());
  said("token", getenv("ARENA_TOKEN") == NULL && getenv("LANG") != NULL);
  for (;;) {  // until it is ended for it
    char *more = malloc(4 << 20);
    if (!more) { said("memory", 1); return 3; }
    memset(more, 1, 4 << 20);
  }
}
"""


def compiler() -> str:
    """Find a C compiler that can link statically."""
    found = shutil.which("cc")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("a C compiler is missing")
        pytest.skip("needs a C compiler")
    return found


def compile_program(folder: Path, source: str, name: str = "attacks", *options: str) -> Path:
    """Compile a program from C; return its path."""
    text = folder / f"{name}.c"
    text.write_text(source)
    options = options or ("-static",)
    subprocess.run([compiler(), "-O1", "-w", *options, "-o", folder / name, text], check=True)
    return folder / name


def compile_bot(folder: Path, game: str = "lost_cities") -> Path:
    """Write a new project in C and compile it; return its folder."""
    compiler()
    write_project(folder, game, "c")
    subprocess.run(["make", "-s", "-C", folder], check=True)
    return folder

"""Ctrl-C ends a command while a compiled kernel runs in its process."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import synthgen
from synthgen.cli.interrupts import ended_by_interrupt
from tests.building import environment, write_recipe

IN_A_KERNEL = """
import sys
from importlib import import_module
from synthgen.__main__ import main
module = import_module("synthgen.{module}")

def endless(*_, **__):
    from numba import njit

    @njit("int64(int64)", nogil=True)
    def spin(value):
        while value != 0:
            value = value * 5 + 2
        return value

    print("running", flush=True)
    return spin(1)

module.{name} = endless
sys.argv = ["synthgen", *{arguments!r}]
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [
        ("engine.preview", "describe", ["describe", "scan"]),
        ("engine.preview", "preview", ["preview", "RECIPE"]),
        ("engine.plan.plan", "make_plan", ["validate", "RECIPE"]),
        ("verifying.verification", "verify", ["verify", "DIR"]),
        ("engine.build", "build", ["build", "RECIPE", "--workers", "1"]),
        ("engine.plan.plan", "make_plan", ["build", "RECIPE", "--workers", "2"]),
    ],
)
def test_an_interrupt_in_a_kernel_stops_a_command(
    tmp_path: Path, module: str, name: str, arguments: list[str]
) -> None:
    assert interrupted(tmp_path, module, name, arguments).startswith("stopped")


@pytest.mark.slow
def test_an_interrupt_after_the_commit_says_that_the_dataset_is_complete(tmp_path: Path) -> None:
    arguments = ["build", "RECIPE", "--workers", "1", "--out", "out"]
    said = interrupted(tmp_path, "cli.terminal", "show_build", arguments)
    assert said == "stopped; out is complete\n"
    assert synthgen.open(tmp_path / "out")


def interrupted(tmp_path: Path, module: str, name: str, arguments: list[str]) -> str:
    """Interrupt a command in a function that runs a kernel, and return what it says."""
    recipe = str(write_recipe(tmp_path))
    arguments = [recipe if argument == "RECIPE" else argument for argument in arguments]
    program = IN_A_KERNEL.format(module=module, name=name, arguments=arguments)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=tmp_path,
        start_new_session=True,
    ) as command:
        try:
            assert command.stdout is not None
            assert "running\n" in iter(command.stdout.readline, "")
            os.killpg(command.pid, signal.SIGINT)
            _, said = command.communicate(timeout=30)
        finally:
            command.kill()
    assert command.returncode == 130
    (last,) = (line for line in said.splitlines() if "still at work" not in line)
    return f"{last}\n"


@pytest.fixture
def handled() -> Iterator[None]:
    """Handle interrupts as usual; a shell lets what it runs in the background ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handled")
def test_interrupts_are_as_before_once_a_command_has_ended() -> None:
    others = {*threading.enumerate()}
    with ended_by_interrupt():
        (waiting,) = {*threading.enumerate()} - others
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert not waiting.is_alive()


@pytest.mark.usefixtures("handled")
def test_ignored_interrupts_stay_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ended_by_interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN

"""What the parts are told."""

import socket
from pathlib import Path

from arena.core.settings import read
from arena.storage import Store, upgrade
from arena.supervisor import part_programs

SECRET = "a secret of the operator's own, long enough"


def test_secret_is_told_to_the_web_alone(tmp_path: Path) -> None:
    settings = read(data=tmp_path, secret=SECRET)
    assert SECRET not in " ".join(part_programs.environment(settings).values())
    assert part_programs.environment(settings)["ARENA_SECRET"] == ""  # what is not named would be inherited
    assert part_programs.web_environment(settings)["ARENA_SECRET"] == SECRET


def test_several_referees_have_nothing_in_common_but_the_machine(tmp_path: Path) -> None:
    one, other = part_programs.referees(read(data=tmp_path), [8001, 8002], lambda _protection: None)
    python, *_ = one.arguments
    places = [
        {word for word in each.arguments if ("/" in word or ":" in word) and word != python}
        for each in (one, other)
    ]
    assert not places[0] & places[1]
    assert all(each.arguments[-2:] == ("--beside", "1") for each in (one, other))


def test_of_several_referees_each_worker_has_another_first(tmp_path: Path) -> None:
    settings = read(data=tmp_path, control="unix:/a,unix:/b")
    upgrade(settings.database_url)
    store = Store.open(settings.database_url)
    told = [
        part_programs.worker(settings, number, store).environment["ARENA_CONTROL"] for number in (1, 2, 3)
    ]
    store.close()
    assert told == ["unix:/a,unix:/b", "unix:/b,unix:/a", "unix:/a,unix:/b"]


def _second_of_two_free_ports() -> socket.socket:
    """Take a port of the machine whose predecessor is free."""
    while True:
        with socket.create_server((part_programs.HOST, 0)) as first:
            try:
                return socket.create_server((part_programs.HOST, first.getsockname()[1] + 1))
            except OSError:  # the next one is taken
                continue


def test_ports_for_bots_follow_each_other_and_leave_out_what_is_taken(tmp_path: Path) -> None:
    with _second_of_two_free_ports() as taken:
        wanted = taken.getsockname()[1] - 1
        settings = read(data=tmp_path, bots_port=wanted)
        first, second = part_programs.choose_bots_ports(settings, 2)
    assert first == wanted
    assert second not in {wanted, wanted + 1}


def test_referee_that_is_served_alone_drains_as_the_settings_say_and_one_of_arena_up_does_not(
    tmp_path: Path,
) -> None:
    settings = read(data=tmp_path, drain_s=77)
    alone = part_programs.referee_arguments(settings, ())
    (ours,) = part_programs.referees(settings, [8001], print)
    drain_s = [line[line.index("--drain-s") + 1] for line in (alone, ours.arguments)]
    assert drain_s == ["77", "0"]

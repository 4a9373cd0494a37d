"""`lint --changed-since`: what has changed since a revision of git is judged, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import PER_TASK, asked, benchlint_, replaced, task

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def test_changed_since_a_revision(library, endpoint):
    git(library, "init", "-q")
    replaced(library / "tasks.json", '"lend_book"', '"lend_bok"')
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    benchlint_("lint -q --judge none", 1)
    assert benchlint_("lint -q --judge none --changed-since HEAD").stdout == ""
    text = json.loads((library / "tasks.json").read_text())
    text[2]["evaluation_criteria"]["actions"][1]["name"] = "lend_buk"
    (library / "tasks.json").write_text(json.dumps([text[3], *text[:3], task(9)], indent=1))
    found = json.loads(benchlint_("lint --format json --changed-since HEAD --select tools,duplicate-task", 1).stdout)
    assert [item["task"] for item in found["findings"]] == ["t3"]
    assert endpoint.calls == []
    benchlint_("lint -q --changed-since HEAD --fail-on never")
    about = {name for call in endpoint.calls for name in re.findall(r"You are member (m\d)", call.user)}
    assert about == {"m3", "m9"}
    assert asked(endpoint) == dict.fromkeys(PER_TASK, 2)
    git(library, "commit", "-q", "-a", "-m", "second")
    shown = "lint -q --judge none --format concise --select tools --changed-since"
    assert benchlint_(f"{shown} HEAD").stdout == ""
    assert "lend_buk" in benchlint_(f"{shown} HEAD~1", 1).stdout
    assert "lend_bok" not in benchlint_(f"{shown} HEAD~1", 1).stdout


@pytest.mark.parametrize(
    ("file", "calls"),
    [("policy.md", {"contradictions": 1}), ("policy.items.yaml", {"contradictions": 1}), ("tools.json", {})],
)
def test_the_policy_is_judged_where_it_has_changed_since_a_revision(library, endpoint, file, calls):
    (library / "policy.items.yaml").write_text(
        "reviewed: true\nitems:\n- {id: one, text: A member may have at most three loans.}\n"
    )
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    benchlint_("lint -q --changed-since HEAD")
    assert endpoint.calls == []
    with (library / file).open("a") as changed:
        changed.write("\n")
    benchlint_("lint -q --changed-since HEAD")
    assert asked(endpoint) == calls


def test_changed_since_needs_a_repository_and_a_revision(library):
    assert "is in no git repository" in benchlint_("lint --changed-since HEAD", 2).stderr
    git(library, "init", "-q")
    assert 'git knows no revision "nope"' in benchlint_("lint --changed-since nope", 2).stderr
    assert "git knows no revision" in benchlint_("lint --changed-since --output=x", 2).stderr


def test_a_revision_runs_nothing_that_a_repository_configures(library):
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    trap = library / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {library}/ran\ncat\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "diff.json.textconv", "filter.x.smudge", "core.sshCommand"):
        git(library, "config", name, str(trap))
    (library / ".gitattributes").write_text("*.json diff=json filter=x\n")
    replaced(library / "tasks.json", "You are member m3", "You are the member m3")
    benchlint_("lint -q --judge none --changed-since HEAD")
    assert not (library / "ran").exists()

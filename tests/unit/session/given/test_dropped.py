"""What a dropped file or folder is recognised as, by what is in it; nothing of it is run."""

import json
import zipfile
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.records.dropped import DroppedKind
from advisor.session.given.dropped import recognise
from advisor.wire import encode
from advisor.worker.data.photos import make_photos
from tests.gui.samples import sample_report
from tests.unit.options.test_site_cluster import scaling

MODEL = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 99,
}
NOTEBOOK = {"cells": [{"cell_type": "code", "source": ["import torch"]}, {"cell_type": "markdown", "source": []}]}


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("model.py", "import torch\n\ndef build():\n    return torch.nn.Linear(1, 1)\n", "network"),
        ("train.py", "def build():\n    return 1\n\nloss.backward()\n", "script"),
        ("hello.py", "print('hello')\n", "script"),
        ("lesson.ipynb", json.dumps(NOTEBOOK), "notebook"),
        ("job.toml", '[workload]\nnetwork = "resnet50"\nsamples = 1000\nepochs = 2\n', "job"),
        ("jobs.toml", '[[job]]\nworkload = "resnet50"\n', "jobs"),
        ("config.json", json.dumps(MODEL), "model"),
        ("config.json", '{"model_type": "vit"}', "described"),
        ("rows.csv", "a,b\n1,2\n3,4\n", "data"),
    ],
)
def test_a_file_is_what_it_holds(tmp_path: Path, name: str, content: str, kind: DroppedKind) -> None:
    """Each kind of file is recognised."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    assert recognise(tmp_path / name).kind == kind


def test_what_is_needed_later_comes_with_it(tmp_path: Path) -> None:
    """The function of a file, the cells of a notebook, the job of a model, the data and how many they are."""
    (tmp_path / "net.py").write_text("def make_net(width=3):\n    return None\n", encoding="utf-8")
    assert recognise(tmp_path / "net.py").function == "make_net"
    (tmp_path / "a.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    assert recognise(tmp_path / "a.ipynb").cells == 1

    model = tmp_path / "tiny"
    model.mkdir()
    (model / "config.json").write_text(json.dumps(MODEL), encoding="utf-8")
    found = recognise(model)
    assert found.network is not None
    assert found.preset is not None
    assert found.preset.workload.method == "qlora"
    assert found.preset.workload.network == found.network.name

    photos = tmp_path / "photos"
    photos.mkdir()
    [photo] = make_photos(1)
    (photos / "one.jpg").write_bytes(photo)
    (photos / "config.json").write_text("{}", encoding="utf-8")
    data = recognise(photos)
    assert data.found is not None
    assert data.found.data.samples == 1


def test_reports_are_told_from_other_json(tmp_path: Path) -> None:
    """A report alone is one computer; a folder or archive of them is many."""
    report = tmp_path / "pc 07.json"
    report.write_bytes(encode(sample_report()))
    assert recognise(report).kind == "report"
    assert "i7-10750H" in recognise(report).computer
    assert recognise(tmp_path).kind == "reports"
    with zipfile.ZipFile(tmp_path / "room.zip", "w") as archive:
        archive.write(report, "pc.json")
    assert recognise(tmp_path / "room.zip").kind == "reports"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("notes.txt", b"nothing", "notes.txt is nothing this program can use. Drop data"),
        ("a.json", b"{}", "a.json is neither a report of this program"),
        ("a.json", b"[1]", "a.json holds no JSON object."),
        ("a.json", b"{" * 5000, "a.json holds no JSON."),
        ("config.json", b'{"model_type": "llama"}', "The description of"),
        ("a.ipynb", b"{}", "a.ipynb is not a notebook"),
        ("bad.toml", b"[workload", "bad.toml"),
        ("a.zip", b"PK", "a.zip cannot be opened as a .zip."),
    ],
)
def test_what_is_nothing_is_said_in_a_sentence(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Whatever it is, the sentence names the file and what could be dropped instead, or what is wrong in it."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="^" + said.replace(".", r"\.")):
        recognise(tmp_path / name)


def test_an_archive_without_reports_and_nothing_at_all(tmp_path: Path) -> None:
    """An archive of data is to be unpacked; what is not there is said so."""
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("one.jpg", "no picture")
    with pytest.raises(InputError, match="unpack it and drop the folder"):
        recognise(tmp_path / "photos.zip")
    with pytest.raises(InputError, match=r"^gone is not there\.$"):
        recognise(tmp_path / "gone")


def test_what_a_cluster_reaches(tmp_path: Path) -> None:
    """A file of --scaling is known by its version; one that tells of no exchange is refused."""
    (tmp_path / "scaling.json").write_bytes(encode(scaling()))
    found = recognise(tmp_path / "scaling.json")
    assert found.kind == "cluster"
    assert found.cluster is not None
    assert found.cluster.scaling == scaling()
    (tmp_path / "scaling.json").write_bytes(encode(scaling(rates=())))
    with pytest.raises(InputError, match="exchanged"):
        recognise(tmp_path / "scaling.json")

"""What would make the job fit, in sentences and as a table."""

import msgspec

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Table
from advisor.report.content.job_changes import change_lines, change_that_would_do, job_changes
from advisor.report.content.sections import question
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.session.forecast import conclude
from advisor.session.given.model_files import model_network
from advisor.session.given.own_network import job_of
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import machine

EN = language("en")


def _report(name: str, card: str, memory_gib: int) -> Report:
    found = Accelerator(
        vendor="nvidia", index=0, name=card, kind="discrete", trains=True, memory_bytes=memory_gib * GIB
    )
    job = msgspec.structs.replace(find_workload(name).workload, batch_size=8)
    return conclude(Observation(machine=machine(found)), job, Circumstances())


def test_the_least_is_said_with_what_it_takes() -> None:
    """First with the same result, then with another, then spread over cards."""
    said, table = job_changes(_report("llm_7b_full", "GeForce RTX 4090", 24), EN).blocks
    assert isinstance(said, Paragraph)
    assert isinstance(table, Table)
    parts = ["As it is, it takes ", "The least for the same result is ", "Trained another way (", "Spread over 6"]
    assert sorted(parts, key=said.text.index) == parts
    assert "QLoRA" in said.text


def test_without_any_change_there_is_no_empty_table() -> None:
    """A network of 70 billion parameters, whose activations are computed again already, on a processor."""
    found = machine()
    job = find_workload("llm_70b_scratch").workload
    section = job_changes(conclude(Observation(machine=found), job, Circumstances()), EN)
    assert not [block for block in section.blocks if isinstance(block, Table) and not block.rows]
    assert section.blocks == (), "who needs a cluster is not told what a desktop lacks"


def test_another_way_to_train_is_named_before_money_is_spent() -> None:
    """FLUX's 12e9 parameters in 16 bit are 24 GB, more than an RTX 4090 has; in 4 bit they are 6."""
    card = Accelerator(
        vendor="nvidia", index=0, name="GeForce RTX 4090", kind="discrete", trains=True, memory_bytes=24 * GIB
    )
    asked = Circumstances(deadline_s=7200.0, data_must_stay=True)
    report = conclude(Observation(machine=machine(card)), find_workload("flux_lora").workload, asked)
    assert report.advice.tier == "single_gpu"
    [said] = change_that_would_do(report, EN)
    assert said.text.startswith("Before you pay for it: GeForce RTX 4090 would do, with QLoRA (")
    assert said.text.endswith("which trains otherwise: check how good the result is.")
    no_row = job_changes(report, EN).blocks[1]
    assert isinstance(no_row, Table)
    assert all(row[2] != "–" for row in no_row.rows), "what does not fit either is no proposal"


def test_nobody_spreads_a_job_over_several_laptops() -> None:
    """Cards of a laptop stay alone."""
    card = Accelerator(
        vendor="nvidia", index=0, name="GeForce GTX 1650", kind="discrete", trains=True, memory_bytes=4 * GIB
    )
    found = machine(card)
    job = find_workload("llm_7b_qlora").workload
    for form_factor, is_said in (("laptop", False), ("desktop", True)):
        host = msgspec.structs.replace(found.host, form_factor=form_factor)
        seen = Observation(machine=msgspec.structs.replace(found, host=host))
        said = job_changes(conclude(seen, job, Circumstances()), EN).blocks[0]
        assert isinstance(said, Paragraph)
        assert ("Spread over" in said.text) == is_said


def test_what_fills_the_card_to_the_brim_is_said_not_to_fit() -> None:
    """A least of "12 GB" beside a card of 12 GB reads as if it fitted; shorter texts do fit, and are proposed."""
    card = Accelerator(
        vendor="nvidia", index=0, name="GeForce RTX 4070", kind="discrete", trains=True, memory_bytes=12 * GIB
    )
    network = model_network("qwen2.5_7b", 2048)
    report = conclude(Observation(machine=machine(card)), job_of(network), Circumstances(), network)
    said, table = job_changes(report, EN).blocks
    assert isinstance(said, Paragraph)
    assert isinstance(table, Table)
    assert "The least for the same result is 12\N{NO-BREAK SPACE}GB" in said.text
    assert "That leaves too little for what PyTorch keeps aside." in said.text
    assert table.rows[0][0] == "sequences of 1,024 tokens"
    [here] = [option for option in report.advice.options if option.id == "here/cuda:0"]
    assert obstacle_phrase(here, report, EN).endswith("and some must stay free")


def test_a_least_that_does_fit_leaves_enough() -> None:
    """FLUX on 24 GB: 26 at the least, 11 with QLoRA, which is proposed; "that leaves too little" was said of it."""
    said, table = job_changes(_report("flux_lora", "GeForce RTX 4090", 24), EN).blocks
    assert isinstance(said, Paragraph)
    assert isinstance(table, Table)
    assert "QLoRA), the least is 11\N{NO-BREAK SPACE}GB." in said.text
    assert "leaves too little" not in said.text
    assert "QLoRA" in [row[0] for row in table.rows]


def test_a_model_named_alone_is_tuned_on_texts_of_usual_length() -> None:
    """Of 1,024 tokens, as TRL cuts them; a 7B model in 4 bit then fits a card of 12 GB, as people do it."""
    network = model_network("qwen2.5_7b")
    job = job_of(network)
    card = Accelerator(
        vendor="nvidia", index=0, name="GeForce RTX 4070", kind="discrete", trains=True, memory_bytes=12 * GIB
    )
    report = conclude(Observation(machine=machine(card)), job, Circumstances(), network)
    assert (job.sequence_length, report.advice.tier) == (1024, "this_computer")
    assert "10,000 texts · 1,024 tokens each" in question(report, EN)


def test_a_change_in_a_line_says_what_becomes_of_the_result() -> None:
    """In a sentence: "Changes the result: yes: check how good it still is" was none."""
    said = [one.text for one in change_lines(_report("llm_7b_full", "GeForce RTX 4090", 24), EN)]
    assert said
    for text in said:
        assert " a run, " in text
        assert text.count(":") == 1 or text.endswith("check how good it still is.")
        assert "The result " in text

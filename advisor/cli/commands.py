"""What each command does: ask the session, render, write; no computing and no wording of its own.

Each command imports what it needs when it is run, so that none waits for what another needs.
"""

import argparse

from advisor.cli.output import DONE, FAILED, say, screen, write_out
from advisor.locale import Language


def run_command(arguments: argparse.Namespace, language: Language) -> int:
    """Run the command the arguments name and return the exit status; without one, make a report."""
    asked = {
        _predict: arguments.predict is not None,
        _watch: arguments.watch,
        _fleet: arguments.fleet is not None,
        _scaling: arguments.scaling,
        _collect: arguments.collect is not None,
        _share: arguments.share is not None,
        _learn: arguments.learn is not None,
        _sweep: arguments.sweep,
        _list: arguments.list is not None,
        _doctor: arguments.doctor,
        _compare: arguments.compare is not None,
        _was_it_true: arguments.was_it_true is not None,
        _refresh_prices: arguments.refresh_prices,
        _how_sure: arguments.how_sure,
        _measuring_pack: arguments.measuring_pack is not None,
        _schema: arguments.schema is not None,
    }
    command = next((command for command, is_asked in asked.items() if is_asked), _report)
    return command(arguments, language)


def _report(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.report import run_report_command

    if arguments.task == "generate":
        from advisor.cli.modes.serving import run_serving_report

        return run_serving_report(arguments, language)
    return run_report_command(arguments, language)


def _predict(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.catalog import find_device
    from advisor.cli.question import job_settings, own_network
    from advisor.report.documents.single_prediction import prediction_text
    from advisor.report.words.without_effect import without_effect
    from advisor.session.single_prediction import asked_step, is_measured_kind, predict_one

    if arguments.task == "generate":
        from advisor.cli.modes.serving import run_serving_command

        return run_serving_command(arguments, language)
    device = find_device(arguments.on)  # before a file is run for nothing
    settings = job_settings(arguments) | {"network": own_network(arguments, arguments.predict, language)}
    prediction = predict_one(arguments.predict, arguments.on, device_count=arguments.devices, **settings)
    if arguments.format == "json":
        from advisor import wire

        return write_out(wire.encode(prediction).decode())
    network, workload = asked_step(arguments.predict, **settings)
    remarks = without_effect(settings, network, device, workload.task, language)
    is_measured = is_measured_kind(device)
    text = prediction_text(prediction, language, device, network, is_measured=is_measured, remarks=remarks)
    return write_out(text)


def _watch(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.watch import run_watch_command

    return run_watch_command(arguments, language)


def _fleet(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.fleet import run_fleet_command

    return run_fleet_command(arguments, language)


def _scaling(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.scaling import run_scaling_command

    return run_scaling_command(arguments, language)


def _collect(arguments: argparse.Namespace, _language: Language) -> int:
    from advisor.resource import resource_path

    names = {"ansible": "ansible.yml", "slurm": "slurm.sh", "windows": "windows.ps1"}
    return write_out(resource_path("collect", names[arguments.collect]).read_text("utf-8"))


def _share(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.learning import run_share_command

    return run_share_command(arguments, language)


def _learn(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.learning import run_learn_command

    return run_learn_command(arguments, language)


def _sweep(arguments: argparse.Namespace, _language: Language) -> int:
    from advisor.cli.modes.sweep import run_sweep_command

    return run_sweep_command(arguments)


def _doctor(arguments: argparse.Namespace, language: Language) -> int:
    from advisor import wire
    from advisor.card_matching import withhold_names
    from advisor.report.documents.doctor import doctor_text
    from advisor.session.run import probe

    machine = probe(tuple(arguments.gpu))
    if arguments.format == "json":
        return write_out(wire.encode(withhold_names(machine)).decode())
    return write_out(doctor_text(machine, language))


def _compare(arguments: argparse.Namespace, language: Language) -> int:
    from advisor import wire
    from advisor.report.documents.comparison import comparison_text
    from advisor.resource import given_path
    from advisor.session.run import compare_reports

    first, second = (wire.read_report(given_path(name)) for name in arguments.compare)
    comparison = compare_reports(first, second)
    if arguments.format == "json":
        return write_out(wire.encode(comparison).decode())
    return write_out(comparison_text(first, second, comparison, language))


def _was_it_true(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.receipt import run_receipt_command

    return run_receipt_command(arguments, language)


def _list(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.listing import listing

    if arguments.list == "models" and arguments.here:
        from advisor.cli.modes.serving import run_models_here

        return run_models_here(arguments, language)
    if arguments.list == "offers":
        _print_refused_prices(language)
    return write_out(listing(arguments.list, language, as_json=arguments.format == "json"))


def _how_sure(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.catalog import load_held_out_times, load_validation
    from advisor.report.documents.standalone_pages import render_how_sure

    found, times = load_validation(), load_held_out_times()
    return write_out(render_how_sure(found, arguments.format or "text", language, times, **screen()))


def _measuring_pack(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.modes.pack import run_pack_command

    return run_pack_command(arguments, language)


def _schema(arguments: argparse.Namespace, _language: Language) -> int:
    import msgspec

    from advisor import wire

    schemas = {
        "fleet": wire.fleet_schema,
        "scaling": wire.scaling_schema,
        "serving": wire.serving_schema,
        "report": wire.report_schema,
    }
    schema = schemas[arguments.schema]()
    return write_out(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())


def _refresh_prices(_arguments: argparse.Namespace, language: Language) -> int:
    from advisor.catalog.refresh import explain_problem, refresh_offers

    result = refresh_offers()
    for problem in result.problems:
        say(explain_problem(problem, language))
    _print_refused_prices(language)
    text = language.ngettext(
        "Renewed: {names}. {n} price known.", "Renewed: {names}. {n} prices known.", result.offer_count
    )
    names = ", ".join(result.renewed) or language.gettext("nothing")
    write_out(text.format(names=names, n=language.number(result.offer_count)))
    return DONE if result.renewed else FAILED


def _print_refused_prices(language: Language) -> None:
    from advisor.catalog import refused_prices
    from advisor.report.words.advice.prices import refusal_sentence

    for provider, detail in refused_prices().items():
        say(refusal_sentence(provider, detail, language))

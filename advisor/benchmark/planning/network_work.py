"""Arithmetic and memory of the networks of the full suite, for one sample. Pure.

Source: counted on the worker's own networks with torch.utils.flop_counter and autograd's hooks for saved tensors, torch
2.13, each at its usual size; a test counts again.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class NetworkWork:
    """What one sample takes.

    Attributes:
        parameters: All of them.
        trained: Those that are trained.
        infer_flop: Forward.
        train_flop: Forward and backward, without the optimizer.
        saved_bytes: Kept from forward to backward, in fp32.
    """

    parameters: int
    trained: int
    infer_flop: float
    train_flop: float
    saved_bytes: float

    @property
    def train_bytes(self) -> float:
        """Bytes a step with Adam must move for the parameters alone.

        Forward and backward read them, backward writes the gradients; Adam reads parameter, gradient and two moments
        and writes parameter and both moments: ten transfers of each trained one, a single one of the others.
        """
        return 4.0 * (self.parameters + 9 * self.trained)

    def needs_bytes(self, batch_size: int) -> float:
        """Return the memory of a training step in fp32: parameters, gradients, two moments, and what backward needs."""
        return 4.0 * (self.parameters + 3 * self.trained) + batch_size * self.saved_bytes


_LSTM = NetworkWork(
    parameters=858_634, trained=858_634, infer_flop=170_398_720, train_flop=497_040_384, saved_bytes=1_765_426
)
_DENSENET = NetworkWork(
    parameters=6_955_906,
    trained=6_955_906,
    infer_flop=5_666_279_424,
    train_flop=16_762_810_368,
    saved_bytes=130_528_658,
)

NETWORK_WORK: dict[str, NetworkWork] = {
    "article_cnn": NetworkWork(
        parameters=42_520_584,
        trained=42_520_584,
        infer_flop=313_954_304,
        train_flop=904_012_800,
        saved_bytes=7_505_882,
    ),
    "simple_cnn": NetworkWork(
        parameters=422_218, trained=422_218, infer_flop=9_385_472, train_flop=26_801_664, saved_bytes=273_394
    ),
    "rnn_cell": NetworkWork(
        parameters=85_002, trained=85_002, infer_flop=16_389_120, train_flop=45_759_488, saved_bytes=129_074
    ),
    "lstm_cell": NetworkWork(
        parameters=332_298, trained=332_298, infer_flop=65_541_120, train_flop=182_991_872, saved_bytes=742_450
    ),
    "stacked_lstm": _LSTM,
    "fused_lstm": _LSTM,
    "densenet121": NetworkWork(
        parameters=7_978_856,
        trained=7_978_856,
        infer_flop=5_668_323_328,
        train_flop=16_768_942_080,
        saved_bytes=130_532_650,
    ),
    "densenet121_transfer": _DENSENET,
    "densenet121_frozen": NetworkWork(
        parameters=6_955_906,
        trained=2_050,
        infer_flop=5_666_279_424,
        train_flop=5_666_283_520,
        saved_bytes=4_114,
    ),
    "resnet50": NetworkWork(
        parameters=25_557_032,
        trained=25_557_032,
        infer_flop=8_178_368_512,
        train_flop=24_299_077_632,
        saved_bytes=86_019_754,
    ),
    "transformer_block": NetworkWork(
        parameters=7_087_872,
        trained=7_087_872,
        infer_flop=1_862_270_976,
        train_flop=5_586_812_928,
        saved_bytes=7_866_368,
    ),
}

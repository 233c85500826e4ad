"""Networks of robots, of molecules and of time series."""

from typing import Any

import torch
from timm.models import create_model
from torch import nn
from torch.nn import functional

from traced.entry import Traced

_JOINTS, _CHUNK, _WIDTH, _INNER, _HEADS = 14, 100, 512, 3200, 8
_ATOMS, _EDGES = 26, 55
"""Mean of ogbg-molhiv: 25.5 atoms and 27.5 bonds, each in both directions."""
_ATOM_VALUES, _BOND_VALUES = (119, 4, 12, 12, 10, 6, 6, 2, 2), (5, 6, 2)


class _Looks(nn.Module):
    """A block of ACT, its norms behind attention; a decoder's looks at what the encoder made besides."""

    def __init__(self, *, also: bool = False) -> None:
        super().__init__()
        count = 1 + also
        self.attentions = nn.ModuleList(nn.MultiheadAttention(_WIDTH, _HEADS, dropout=0.1) for _ in range(count))
        self.norms = nn.ModuleList(nn.LayerNorm(_WIDTH) for _ in range(count + 1))
        self.inward, self.outward = nn.Linear(_WIDTH, _INNER), nn.Linear(_INNER, _WIDTH)
        self.dropout = nn.Dropout(0.1)

    def forward(self, values: torch.Tensor, places: torch.Tensor, memory: Any = None) -> torch.Tensor:
        """Return (tokens, batch, width); ``memory``: what else is looked at, and its places."""
        for attention, norm, seen in zip(self.attentions, self.norms, (None, memory), strict=False):
            content, where = (values, places) if seen is None else seen
            made = attention(values + places, content + where, value=content)[0]
            values = norm(values + self.dropout(made))
        made = self.outward(self.dropout(functional.relu(self.inward(values))))
        norm = self.norms[-1]
        assert isinstance(norm, nn.LayerNorm)
        result: torch.Tensor = norm(values + self.dropout(made))
        return result


class ActPolicy(nn.Module):
    """Action chunking with transformers (Zhao et al. 2023), as LeRobot sets it for ALOHA: one camera, 100 actions."""

    def __init__(self) -> None:
        super().__init__()
        eyes = create_model("resnet18", num_classes=0)
        for module in eyes.modules():  # their norms are held
            if isinstance(module, nn.BatchNorm2d):
                module.weight.requires_grad = module.bias.requires_grad = False
        self.eyes = eyes
        self.style = nn.ModuleList(_Looks() for _ in range(4))
        self.first, self.style_places = nn.Embedding(1, _WIDTH), nn.Buffer(torch.empty(_CHUNK + 2, 1, _WIDTH))
        self.style_state, self.style_action = nn.Linear(_JOINTS, _WIDTH), nn.Linear(_JOINTS, _WIDTH)
        self.style_out = nn.Linear(_WIDTH, 64)
        self.state, self.latent = nn.Linear(_JOINTS, _WIDTH), nn.Linear(32, _WIDTH)
        self.image = nn.Conv2d(512, _WIDTH, 1)
        self.places = nn.Embedding(2, _WIDTH)
        self.encoder, self.decoder = nn.ModuleList(_Looks() for _ in range(4)), _Looks(also=True)
        self.norm, self.asked = nn.LayerNorm(_WIDTH), nn.Embedding(_CHUNK, _WIDTH)
        self.head = nn.Linear(_WIDTH, _JOINTS)

    def forward(
        self, image: torch.Tensor, state: torch.Tensor, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return actions (batch, 100, joints) and what tells their style (batch, 64)."""
        count = len(state)
        begin = self.first.weight.unsqueeze(0).repeat(count, 1, 1)
        shown = [begin, self.style_state(state).unsqueeze(1), self.style_action(actions)]
        style = torch.cat(shown, dim=1).transpose(0, 1)
        for block in self.style:
            style = block(style, self.style_places)
        chosen = self.style_out(style[0])
        latent = chosen[:, :32] + (chosen[:, 32:] / 2).exp() * torch.randn_like(chosen[:, :32])
        seen = self.image(self.eyes.forward_features(image))
        seen = seen.flatten(2).permute(2, 0, 1)
        tokens = torch.cat([self.latent(latent).unsqueeze(0), self.state(state).unsqueeze(0), seen])
        where = torch.cat([self.places.weight, torch.empty_like(seen[:, 0])]).unsqueeze(1)
        for block in self.encoder:
            tokens = block(tokens, where)
        asked = torch.zeros(_CHUNK, count, _WIDTH)
        made = self.norm(self.decoder(asked, self.asked.weight.unsqueeze(1), (tokens, where)))
        return self.head(made.transpose(0, 1)), chosen


def _actions_loss(output: tuple[torch.Tensor, torch.Tensor], _inputs: object) -> torch.Tensor:
    actions, style = output
    spread = 1 + style[:, 32:] - style[:, :32].pow(2) - style[:, 32:].exp()
    return functional.l1_loss(actions, torch.empty_like(actions)) - 5 * spread.sum(-1).mean()


def _robot(_size: int, batch: int) -> dict[str, torch.Tensor]:
    return {
        "image": torch.empty(batch, 3, 480, 640),
        "state": torch.empty(batch, _JOINTS),
        "actions": torch.empty(batch, _CHUNK, _JOINTS),
    }


class MoleculeGin(nn.Module):
    """Graph isomorphism network of the Open Graph Benchmark's examples: five layers over atoms and bonds."""

    WIDTH = 300

    def __init__(self) -> None:
        super().__init__()
        width = self.WIDTH
        self.atoms = nn.ModuleList(nn.Embedding(count, width) for count in _ATOM_VALUES)
        self.bonds = nn.ModuleList(nn.ModuleList(nn.Embedding(n, width) for n in _BOND_VALUES) for _ in range(5))
        self.own = nn.ParameterList(torch.empty(1) for _ in range(5))
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Linear(width, 2 * width), nn.BatchNorm1d(2 * width), nn.ReLU(), nn.Linear(2 * width, width)
            )
            for _ in range(5)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(5))
        self.head = nn.Linear(width, 1)

    def forward(self, atoms: torch.Tensor, edges: torch.Tensor, bonds: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
        """Return a score for each molecule (batch, 1)."""
        begin, end = edges.unbind()
        state = sum(table(atoms[:, place]) for place, table in enumerate(self.atoms))
        for number, (tables, own, layer, norm) in enumerate(
            zip(self.bonds, self.own, self.layers, self.norms, strict=True)
        ):
            assert isinstance(tables, nn.ModuleList)
            bond = sum(table(bonds[:, place]) for place, table in enumerate(tables))
            told = functional.relu(state.index_select(0, begin) + bond)
            heard = torch.zeros_like(state).index_add(0, end, told)
            state = norm(layer((1 + own) * state + heard))
            state = functional.dropout(functional.relu(state) if number < 4 else state, 0.5, training=self.training)
        molecules = len(atoms) // _ATOMS
        summed = torch.zeros(molecules, self.WIDTH).index_add(0, of, state)
        scores: torch.Tensor = self.head(summed / _ATOMS)
        return scores


def _molecules(_size: int, batch: int) -> dict[str, torch.Tensor]:
    return {
        "atoms": torch.empty(batch * _ATOMS, len(_ATOM_VALUES), dtype=torch.int64),
        "edges": torch.empty(2, batch * _EDGES, dtype=torch.int64),
        "bonds": torch.empty(batch * _EDGES, len(_BOND_VALUES), dtype=torch.int64),
        "of": torch.empty(batch * _ATOMS, dtype=torch.int64),
    }


def _molecule_loss(scores: torch.Tensor, _inputs: object) -> torch.Tensor:
    return functional.binary_cross_entropy_with_logits(scores, torch.empty_like(scores))


class PatchTst(nn.Module):
    """PatchTST/42 (Nie et al. 2023) as its authors run it on Electricity: each of 321 series alone, in 42 patches."""

    SERIES, STEPS, PATCH, STRIDE, WIDTH, AHEAD = 321, 336, 16, 8, 128, 96

    def __init__(self) -> None:
        super().__init__()
        patches = (self.STEPS - self.PATCH) // self.STRIDE + 2
        self.inward = nn.Linear(self.PATCH, self.WIDTH)
        self.places = nn.Parameter(torch.empty(patches, self.WIDTH))
        self.blocks = nn.ModuleList(_Patches(self.WIDTH) for _ in range(3))
        self.head = nn.Linear(patches * self.WIDTH, self.AHEAD)
        self.scale, self.shift = (nn.Parameter(torch.empty(self.SERIES)) for _ in range(2))

    def forward(self, series: torch.Tensor) -> torch.Tensor:
        """Return what comes next (batch, series, 96)."""
        mean, spread = series.mean(-1, keepdim=True), series.std(-1, keepdim=True)
        series = (series - mean) / spread * self.scale[:, None] + self.shift[:, None]
        longer = torch.cat([series, series[..., -1:].expand(-1, -1, self.STRIDE)], dim=-1)
        patches = longer.unfold(-1, self.PATCH, self.STRIDE)
        state = functional.dropout(self.inward(patches.flatten(0, 1)) + self.places, 0.2)
        scores: torch.Tensor | None = None
        for block in self.blocks:
            state, scores = block(state, scores)
        made = functional.dropout(self.head(state.flatten(1)), 0.0).unflatten(0, (-1, self.SERIES))
        result: torch.Tensor = (made - self.shift[:, None]) / self.scale[:, None] * spread + mean
        return result


class _Patches(nn.Module):
    """A block of it: scores of attention are handed on from block to block, norms over the batch."""

    def __init__(self, width: int, heads: int = 16, inner: int = 256) -> None:
        super().__init__()
        self.heads = heads
        self.asking, self.seen, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.inward, self.outward = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(2))

    def forward(self, state: torch.Tensor, before: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (series, patches, width) and the scores."""
        layers = (self.asking, self.seen, self.value)
        asking, seen, value = (one(state).unflatten(-1, (self.heads, -1)).transpose(1, 2) for one in layers)
        scores = asking @ seen.transpose(-1, -2) * (state.shape[-1] // self.heads) ** -0.5
        scores = scores if before is None else scores + before
        mixed = self.out((scores.softmax(-1) @ value).transpose(1, 2).flatten(2))
        state = self._normed(0, state + functional.dropout(mixed, 0.2))
        made = self.outward(functional.dropout(functional.gelu(self.inward(state)), 0.2))
        return self._normed(1, state + functional.dropout(made, 0.2)), scores

    def _normed(self, which: int, state: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.norms[which](state.transpose(1, 2)).transpose(1, 2)
        return result


def _next_loss(ahead: torch.Tensor, _inputs: object) -> torch.Tensor:
    return functional.mse_loss(ahead, torch.empty_like(ahead))


NETWORKS = (
    Traced(
        name="act_policy",
        family="transformer",
        build=lambda _size: ActPolicy(),
        inputs=_robot,
        loss=_actions_loss,
        parameters=51_623_182,
        source="LeRobot trains 51,613,582 of act_aloha_sim_transfer_cube_human; and holds 9,600 more",
        size=640,
        sizes=(640,),
        layers=9,
        aliases=("act",),
        libraries=("timm",),
    ),
    Traced(
        name="gin_molecules",
        family="cnn",
        build=lambda _size: MoleculeGin(),
        inputs=_molecules,
        loss=_molecule_loss,
        parameters=1_885_206,
        source="Open Graph Benchmark, leaderboard of ogbg-molhiv, GIN: 1,885,206",
        sample="sequence",
        size=_ATOMS,
        sizes=(_ATOMS,),
        layers=5,
        aliases=("gin", "graph_network"),
    ),
    Traced(
        name="patchtst",
        family="transformer",
        build=lambda _size: PatchTst(),
        inputs=lambda _size, batch: torch.empty(batch, PatchTst.SERIES, PatchTst.STEPS),
        loss=_next_loss,
        parameters=921_826,
        source="Nie et al. 2023, PatchTST/42 for Electricity, as scripts/PatchTST/electricity.sh sets it; counted by "
        "its layers",
        sample="sequence",
        size=PatchTst.STEPS,
        sizes=(PatchTst.STEPS,),
        layers=3,
    ),
)

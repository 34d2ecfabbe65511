"""Analysis of losses: the cost of each decision of a finished match, by drawing hidden cards and playing on.

    record ──list_decisions──▶ PastDecision … ──find_losses──▶ Loss … ──sum_up──▶ by part, phase, opponent, kind

It is pure: time comes in as the share of a budget that is used up, chance as a seed.
"""

from arena.analysis.loss_search import Loss, find_losses
from arena.analysis.past_decisions import PastDecision, list_decisions
from arena.analysis.summary import Group, costliest, sum_up, sum_up_tags

__all__ = [
    "Group",
    "Loss",
    "PastDecision",
    "costliest",
    "find_losses",
    "list_decisions",
    "sum_up",
    "sum_up_tags",
]

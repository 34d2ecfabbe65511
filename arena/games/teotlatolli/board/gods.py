"""Teotlatolli: the names of the gods."""

from __future__ import annotations

GODS = (
    "Tonacatecuhtli",
    "Chantico",
    "Tepeyollotl",
    "Huehuecoyotl",
    "Chalchiuhtlicue",
    "Tecciztecatl",
    "Tlaloc",
    "Mayahuel",
    "Xiuhtecuhtli",
    "Mictlantecuhtli",
    "Xochipilli",
    "Patecatl",
    "Itztlacoliuhqui",
    "Tlazolteotl",
    "Xipe Totec",
    "Itzpapalotl",
    "Xolotl",
    "Chalchiuhtotolin",
    "Tonatiuh",
    "Xochiquetzal",
)
"""The gods by number, the first one 1, in the order of the days that they rule."""


def god_name(number: int) -> str:
    """Return the name of a god, 1 to 20."""
    return GODS[number - 1]
